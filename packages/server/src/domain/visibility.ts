/** The part of the stored data that a caller sees: everything, or what belongs to one partner. Stores apply it in their queries. */
export type Visibility = { readonly all: true } | { readonly partnerId: string }
