/** True for a name that a stack may have: `shop`, or `shop@staging`. */
export const isStackName = (text: string): boolean =>
  /^[a-z0-9][a-z0-9._-]{0,62}(@[a-z0-9][a-z0-9_-]{0,31})?$/i.test(text);

/** True if a stack is the one that is meant by a name: `web` means `web`, and to a stack with a stage, `web` in that stage, too. */
export function isMeant(name: string, stack: string, { from }: { from: string }): boolean {
  const at = from.indexOf('@');
  return stack === name || (at > 0 && stack === `${name}${from.slice(at)}`);
}
