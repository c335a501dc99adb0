/** The content of a file that is sent as it is. Whatever prints or logs it gets its length. */
export class FileContent {
  readonly bytes: Uint8Array;
  /** As a `Content-Type`. */
  readonly type: string;

  constructor(bytes: Uint8Array, type: string) {
    this.bytes = bytes;
    this.type = type;
  }

  toJSON(): string {
    return `(${this.type}, ${this.bytes.length} bytes)`;
  }
}
