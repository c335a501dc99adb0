import type { Kind } from '../kind/kind.ts';
import type { Entry } from './nodes.ts';
import { optionsOf, takesAnything } from './schema-options.ts';

/** What to do with data that stands where its field should be named: the field takes any, and is not there. */
export function dataHint(
  { yaml: { shorthand }, fields }: Kind,
  entries: Entry[],
  data = '{ … }',
): string | undefined {
  const [name, ...more] = Object.keys(shorthand?.('') ?? {});
  if (name === undefined || more.length > 0 || entries.some(({ key }) => key.text === name)) return undefined;
  const isData = optionsOf(fields[name]!).schemas.some(takesAnything);
  return isData ? `if this is data, name the field: \`${name}: ${data}\`` : undefined;
}
