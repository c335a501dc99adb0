import type { ServerResponse } from 'node:http';
import type { Answer } from '../call.ts';
import type { Delivery } from '../faults/fault-steps.ts';

/** Writes an answer, or what is to be seen of it. */
export function sendAnswer(response: ServerResponse, answer: Answer, delivery: Delivery = 'whole'): void {
  const { status, body, headers } = answer;
  if (delivery === 'none') {
    response.socket?.resetAndDestroy();
    return;
  }
  const isEmpty = body === undefined || status === 204;
  const text = isEmpty ? '' : JSON.stringify(body);
  const half = text.slice(0, text.length / 2);
  const type = isEmpty ? {} : { 'content-type': 'application/json; charset=utf-8' };
  if (delivery === 'half, then cut') {
    response.writeHead(status, { ...type, ...headers, 'content-length': Buffer.byteLength(text) });
    response.write(half, () => response.destroy());
    return;
  }
  response.writeHead(status, { ...type, ...headers });
  if (isEmpty) response.end();
  else response.end(delivery === 'half' ? half : text);
}
