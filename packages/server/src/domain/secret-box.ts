/** Encrypts secrets that must be readable later, so that no store or backup contains them in clear. */
export interface SecretBox {
  seal(secret: string): Buffer
  /** Throws if the text was sealed under another key or for another purpose. */
  open(sealed: Buffer): string
}
