/** Turns texts into vectors: similar texts have vectors of similar direction. */
export interface TextVectors {
  /** Number of elements of each vector. */
  readonly dimensions: number
  /** Returns a vector for each text, in their order. */
  embed(texts: readonly string[]): Promise<readonly Int8Array[]>
}

/** Returns the cosine of the angle between two vectors, from -1 to 1; 0 if one of them is zero. */
export function similarity(a: Int8Array, b: Int8Array): number {
  let [product, ofA, ofB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!
    ofA += a[i]! * a[i]!
    ofB += b[i]! * b[i]!
  }
  return product === 0 ? 0 : product / Math.sqrt(ofA * ofB)
}
