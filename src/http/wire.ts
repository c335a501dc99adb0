import { Sealed } from '../model/sealed.ts';

/** A body as JSON text with its secrets revealed, and these secrets. Only for handing to the socket. */
export function toWire(body: unknown): { text: string; secrets: Sealed[] } {
  const secrets: Sealed[] = [];
  const text = JSON.stringify(body, function (this: Record<string, unknown>, name, value) {
    // `value` has been through toJSON already, which hides the secret; the holder still has it.
    const original = this[name];
    if (!(original instanceof Sealed)) return value;
    secrets.push(original);
    return original.reveal();
  });
  return { text, secrets };
}
