/**
 * Whether these bytes are a ledger, a lease, a line of a journal or a saved plan, wherever the file came from. Theirs are no secrets, and what a
 * ledger knows of other stacks is not to be sent anywhere.
 */
export function isOwnDocument(bytes: Buffer): boolean {
  const text = bytes.toString('utf8').trimStart();
  if (!text.startsWith('{')) return false;
  const first = parsed(text) ?? parsed(text.split('\n', 1)[0]!);
  if (first === undefined) return false;
  const has = (...names: string[]) => names.every((name) => Object.hasOwn(first, name));
  return (
    first.format === 'trueup plan' || has('stack', 'generation', 'entries') || has('generation', 'journal')
  );
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
