import { inActions, isInCi } from '../host.ts';
import { raise } from '../model/diagnostic.ts';
import type { Masking } from '../model/masking.ts';
import type { ApiAnswer } from '../model/request.ts';
import { count, escapeHidden } from '../report/text.ts';
import { writeAndWait } from '../terminal/command-run.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  decodeLines,
  formatResponseHead,
  indentJson,
  isBinary,
  joinResponse,
  maxIndentedBytes,
  readStart,
  writeResponseFile,
} from './read-response.ts';

/**
 * Prints the response to `trueup api`, or writes it to a file (`output`). It is passed on in pieces, so that a response of any length fits
 * into memory. Printed text is masked; a file gets the bytes as they are. `include`: also print the status and the headers. Throws
 * `Problems` for a response that must not be printed.
 */
export async function printResponse(
  { status, headers, parts }: ApiAnswer,
  { output, include }: { output?: string; include?: boolean },
  masking: Masking,
  terminal: Terminal,
): Promise<void> {
  const { host } = terminal.run;
  if (include) terminal.out(masking.mask(formatResponseHead(status, headers)));
  if (output !== undefined) {
    const bytes = await writeResponseFile(host, output, parts);
    terminal.say(`Wrote ${output}: ${count(bytes, 'byte')}.`);
    return;
  }
  const [contentType = ''] = String(headers['content-type'] ?? '').split(';');
  const isJson = /^\w+\/(?!stream\+)([\w.-]+\+)?json$/i.test(contentType.trim());
  const { start, more } = await readStart(parts, isJson ? maxIndentedBytes : 1);
  if (start.length === 0) return;
  const json = isJson && more === undefined ? indentJson(start.toString('utf8')) : undefined;
  if (json !== undefined) return terminal.out(masking.mask(json));
  // A CI runner obeys commands in any text but JSON, and secrets in binary data cannot be masked.
  if (isInCi(host) || inActions(host) || isBinary(start)) {
    await more?.return?.();
    raise('api/output', `the response is ${contentType || 'without a content type'} and is not printed`, {
      hint: 'write it to a file with --output FILE',
    });
  }
  for await (const text of decodeLines(joinResponse(start, more))) {
    const maskedText = masking.mask(text);
    if (!(await writeAndWait(host, host.stdout.isTTY ? escapeHidden(maskedText) : maskedText))) return;
  }
}
