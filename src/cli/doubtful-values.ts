import type { Doubtful } from '../accept/findings.ts';
import type { Address } from '../model/address.ts';
import { matcherOf } from '../model/address-glob.ts';
import { groupBy } from '../model/graph.ts';
import { placeOf, wholeAddress } from '../model/wholes.ts';
import type { Terminal } from './terminal.ts';

/** Values that may be secrets, one for each entry of the YAML, as people call it. */
export const entriesOf = (
  doubtful: Doubtful[],
): { name: string; whole: Address; path: string; of: Doubtful[] }[] =>
  [...groupBy(doubtful, ({ entry, path, address }) => entry ?? `${address} ${path}`).values()].flatMap(
    (alike) =>
      [...groupBy(alike, ({ path }) => path)].map(([path, of]) => {
        const [{ address }] = of as [Doubtful];
        const whole = wholeAddress(address);
        const places = of.map((one) => placeOf(one.address)).filter((place) => place !== '');
        return { name: places.length > 0 ? `${whole} [${places.join(', ')}]` : whole, whole, path, of };
      }),
  );

/**
 * The values that may be secrets, and are written nevertheless, as `ADDRESS PATH`: named by a flag (`values`), or each confirmed by
 * somebody.
 */
export async function allowedValues(
  doubtful: Doubtful[],
  { values = [], autoApprove = false }: { values?: string[]; autoApprove?: boolean },
  terminal: Terminal,
): Promise<Set<string>> {
  const allowed = new Set<string>();
  const isNamed = matcherOf(values);
  for (const { name, path, of } of entriesOf(doubtful)) {
    const mayWrite =
      of.every(({ address }) => isNamed(address)) ||
      (!autoApprove &&
        terminal.canAsk &&
        (await terminal.ask(
          `Write \`${path}\` of ${name} into the configuration, where anyone can read it? It may be a secret. Type \`yes\` to continue: `,
        )) === 'yes');
    if (mayWrite) for (const one of of) allowed.add(`${one.address} ${one.path}`);
  }
  return allowed;
}
