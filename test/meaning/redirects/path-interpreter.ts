/*
 * An interpreter of paths and path patterns for tests, written without a look at the one that the checks use.
 */

/** True for equal texts. */
export const sameText = (a: string, b: string, isSensitive: boolean) =>
  isSensitive ? a === b : a.toLowerCase() === b.toLowerCase();
/** Returns a path without the slash at its end. */
export const withoutSlash = (path: string) =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

/** Returns the parameters with which a route pattern matches a path; undefined if it does not match. */
export function parametersOf(
  src: string,
  path: string,
  isSensitive: boolean,
): Record<string, string> | undefined {
  const wanted = src.split('/').slice(1);
  const actual = path.split('/').slice(1);
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    if (/[*+]$/.test(part)) {
      const rest = actual.slice(index);
      if (rest.includes('') || (part.endsWith('+') && rest.length === 0)) return undefined;
      parameters[part.slice(1, -1)] = rest.join('/');
      return parameters;
    }
    const value = actual[index];
    if (value === undefined) return undefined;
    if (part.startsWith(':')) {
      if (value === '') return undefined;
      parameters[part.slice(1)] = value;
    } else if (!sameText(part, value, isSensitive)) return undefined;
  }
  return actual.length === wanted.length ? parameters : undefined;
}
