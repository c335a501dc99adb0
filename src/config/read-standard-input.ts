import type { Host } from '../host.ts';
import { maxBytes } from './yaml/read-documents.ts';

const inputsByStream = new WeakMap<Host['stdin'], Promise<Buffer>>();

/**
 * Returns standard input, for a configuration from `-f -`. It can be read only once, so a command that loads the configuration again gets
 * the same bytes.
 */
export function readInputOnce(stdin: Host['stdin']): Promise<Buffer> {
  const input = inputsByStream.get(stdin) ?? readStandardInput(stdin);
  inputsByStream.set(stdin, input);
  return input;
}

/** Reads standard input. Stops soon after the size limit of a configuration, because the caller rejects a longer text. */
export async function readStandardInput(stdin: Host['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks);
}
