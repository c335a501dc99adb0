import type { Exchange } from '../kind/provider.ts';

/** One request of `--verbose`: secrets in its body are sealed, headers are never part of it. */
export function exchangeText({ method, path, status, milliseconds, attempt, body }: Exchange): string {
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const sent = body === undefined ? '' : `\n    ${JSON.stringify(body)}`;
  return `  ${method} ${path} ${status ?? 'no answer'} ${Math.round(milliseconds)} ms${again}${sent}`;
}
