/**
 * The length of the end of a ledger's text that is part of its version: six characters of the signature (36 bits), and the end of the JSON
 * text.
 */
export const versionTailLength = 10;

/**
 * Returns the version of a signed ledger (see `OwnershipStore`) by its size in bytes and the end of its text. The signature is at the end
 * and covers everything before it, so a store finds the version without reading the whole ledger. Undefined for a text without a signature.
 */
export const signedVersionOf = (size: number, tail: string): string | undefined =>
  /^[\w-]{6}"\n\}\n$/.test(tail) ? `${size}:${tail.slice(0, 6)}` : undefined;

/** Returns the version of the text of a ledger, as `signedVersionOf`. */
export const signedVersionOfText = (text: string): string | undefined =>
  signedVersionOf(Buffer.byteLength(text), text.slice(-versionTailLength));
