import { kindsOf } from '../../src/kind/define-kind.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { exampleOf } from '../../src/manual/kind-manual.ts';
import { loadExample } from '../../src/manual/kind-reference.ts';
import { type Given, given } from './given.ts';

/** What is wrong with the example of a kind. */
export async function exampleFindings(
  kind: Kind,
  { kinds }: Pick<Given, 'kinds'> = given,
): Promise<string[]> {
  const example = exampleOf(kindsOf(kinds), kind);
  if (example === undefined)
    return [
      'it has no `example` for the manual: what stands in its section, or YAML from the root, of at most 15 lines',
    ];
  const loaded = await loadExample(kindsOf(kinds), kind).catch((error: Error) => error);
  if (loaded instanceof Error) return [`its example does not load: ${loaded.message}`];
  const { desired, diagnostics } = loaded;
  if (diagnostics.length > 0)
    return [`its example does not load: ${diagnostics.map(({ message }) => message).join('; ')}`];
  const found: string[] = [];
  if (![...desired.resources.values()].some((one) => one.kind === kind.name))
    found.push('its example has none of it');
  if (example.split('\n').length > 15) found.push('its example is long: at most 15 lines');
  return found;
}
