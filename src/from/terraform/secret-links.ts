import type { ForeignObject, StateResource } from '../../kind/foreign.ts';
import type { Address } from '../../model/address.ts';
import { groupBy } from '../../model/graph.ts';

/** A variable whose value is what the creation of `object` showed once: `$secretTo` can declare it. */
export interface SecretLink {
  object: Address;
  /** The `value` of `$secretTo`. */
  value: string;
}

export interface SecretLinks {
  /** By the address of each unit of the variable. */
  links: ReadonlyMap<Address, SecretLink>;
  /** Sentences about variables that contain such a secret and are declared without it. */
  unlinked: string[];
}

type SecretSourceObject = ForeignObject & { from: StateResource };

/** Shorter texts may be in a value by chance. */
export const shortestSecret = 8;

/** Returns the secrets that the creations of objects showed once, in clear, with the `value` of `$secretTo` for each. */
export const findShownSecrets = (objects: readonly ForeignObject[]): { text: string; value: string }[] =>
  objects
    .flatMap(({ shown = [] }) => shown)
    .map(({ text, value }) => ({ text: text.reveal(), value }))
    .filter(({ text }) => text.length >= shortestSecret);

/**
 * Finds the variables whose value is a secret that is shown once. Terraform writes references into the state as values, so values tell. A
 * secret that is only a part of a value is not linked: the rest of that value may be secret, too.
 */
export function findSecretLinks(sources: ReadonlyMap<Address, SecretSourceObject[]>): SecretLinks {
  const all = [...sources].flatMap(([address, of]) => of.map((source) => ({ address, source })));
  const shown = all.flatMap(({ address, source }) =>
    findShownSecrets([source]).map((secret) => ({ ...secret, object: address })),
  );
  const links = new Map<Address, SecretLink>();
  const left: string[] = [];
  const taken = new Set<Address>();
  const variables = groupBy(
    all.filter(({ source }) => source.secretValue !== undefined),
    ({ source }) => source,
  );
  for (const [source, units] of variables) {
    const text = source.secretValue!.reveal();
    const equal = shown.find((secret) => secret.text === text);
    const part = equal ?? shown.find((secret) => text.includes(secret.text));
    if (!part) continue;
    const why = equal ? whyUnlinked(source, taken.has(equal.object)) : 'there is more in its value';
    if (equal && why === undefined) {
      taken.add(equal.object);
      for (const { address } of units) links.set(address, { object: equal.object, value: equal.value });
    } else {
      const name = String(source.object.key);
      left.push(
        `${source.from.address}: \`$secretTo\` of ${part.object} cannot write ${name}: ${why}; it keeps its value. To set it here, add \`value: \${secret.${name}}\` to its block and \`${name}: {}\` under \`secrets\``,
      );
    }
  }
  return { links, unlinked: left };
}

function whyUnlinked({ object: { type } }: SecretSourceObject, isTaken: boolean): string | undefined {
  if (type !== 'sensitive') return 'only a sensitive variable can take it';
  return isTaken ? 'another variable has the same secret' : undefined;
}
