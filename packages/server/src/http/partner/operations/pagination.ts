/** The member beside `data` in every list (rulings: Operations). */
export const pagination = (asked: { readonly page: number; readonly size: number }, total: number) => ({
  page: asked.page,
  size: asked.size,
  total_elements: total,
  total_pages: Math.ceil(total / asked.size),
})
