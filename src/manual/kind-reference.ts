/*
 * Facts about kinds for `trueup kinds` and the documentation. They come from the kinds themselves and need no configuration of a user.
 */
import type { Configuration } from '../config/configuration.ts';
import { load } from '../config/load.ts';
import { closestName, quoted } from '../config/suggest.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { raise } from '../model/diagnostic.ts';
import { exampleOf, kindsNamed } from './kind-manual.ts';

/** Loads the example of a kind as a complete configuration, with a header before it. */
export const loadExample = (kinds: Kinds, kind: Kind): Promise<Configuration> =>
  load({ kinds, cwd: '.', env: {}, text: `stack: example\n${exampleOf(kinds, kind)}\n` });

/** Returns the addresses of a kind's own objects in its example, for the manual. Returns none if the kind has no example. */
export async function exampleAddresses(kinds: Kinds, kind: Kind): Promise<Address[]> {
  if (kind.example === undefined) return [];
  const { resources } = (await loadExample(kinds, kind)).desired;
  return [...resources.values()]
    .filter((resource) => resource.kind === kind.name)
    .map(({ address }) => address);
}

/** Returns the kind for `trueup kinds NAME`: the name is that of the kind or of its section in the YAML. Throws `Problems` if no kind or several kinds match. */
export function requireKind(kinds: Kinds, name: string): Kind {
  const [match, ...others] = kindsNamed(kinds, name);
  if (!match) {
    const names = [...kinds.values()].flatMap((kind) => [kind.name, kind.section]);
    const near = closestName(name, names);
    raise('asked/name', `there is no kind ${quoted(name)}`, {
      hint: near === undefined ? '`trueup kinds` lists all' : `did you mean \`${near}\`?`,
    });
  }
  if (others.length > 0)
    raise('kinds/ambiguous', `${quoted(name)} is the section of several kinds`, {
      hint: [match, ...others].map(({ kind, path }) => `\`${kind}\` (${path})`).join(', or '),
    });
  return kinds.get(match.kind)!;
}
