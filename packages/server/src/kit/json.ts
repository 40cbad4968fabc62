/** A value that JSON can express. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object. */
export type JsonObject = { readonly [member: string]: JsonValue }
