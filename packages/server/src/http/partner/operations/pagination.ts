/** Builds the member `pagination` of a list (rulings: Operations). */
export const toPagination = (request: { readonly page: number; readonly size: number }, total: number) => ({
  page: request.page,
  size: request.size,
  total_elements: total,
  total_pages: Math.ceil(total / request.size),
})
