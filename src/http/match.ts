import type { Endpoint } from '../model/plan.ts';

/** An operation of an API's catalog. */
interface Operation {
  method: string;
  /** With path parameters in braces. */
  path: string;
}

const blank = (path: string) => path.replace(/\{[^{}]*\}/g, '{}');
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * Makes a function that finds the catalog's operation for an endpoint, whatever its placeholders are called and even if they
 * are filled; the endpoint itself, without its query, where the catalog has none. `name` is method and path in one.
 */
export function matcher(
  catalog: readonly Operation[],
): (endpoint: Endpoint) => { name: string; path: string } {
  const operations = catalog.map(({ method, path }) => {
    const name = `${method} ${path}`;
    const parts = blank(name).split('{}');
    return {
      name,
      path,
      blank: blank(name),
      variables: parts.length - 1,
      pattern: new RegExp(`^${parts.map(literal).join('[^/]+')}$`),
    };
  });
  const known = new Map<string, { name: string; path: string }>();

  return (endpoint) => {
    const name = endpoint.split('?')[0]!;
    let found = known.get(name);
    if (!found) {
      const asked = blank(name);
      const fits = operations
        .filter((one) => one.pattern.test(asked))
        .sort((a, b) => a.variables - b.variables);
      found = operations.find((one) => one.blank === asked) ??
        fits[0] ?? { name, path: name.slice(name.indexOf(' ') + 1) };
      known.set(name, found);
    }
    return found;
  };
}
