import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { raiseErrors } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { groupBy } from '../model/graph.ts';
import type { OtherStack } from '../model/ledger.ts';
import { addressWithoutTarget, unitSuffixOf } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Live } from '../model/resource.ts';
import { createOwnerFinder } from '../plan/claims.ts';
import { createUnmatchedGlobProblems } from '../plan/unmatched-globs.ts';
import type { PossibleSecret } from './acceptance.ts';

/** The objects to add to the configuration. `notAdded`: for users, the requested objects that cannot be added, with reasons. */
interface Additions {
  additions: Set<Address>;
  notAdded: string[];
}

/** The stack whose configuration gets the objects. `otherStacks`: the other stacks of the account. */
interface AcceptingStack {
  desired: Desired;
  kinds: Kinds;
  otherStacks: { readAll(): Promise<readonly OtherStack[]> };
}

/** The requested objects: by address or glob (`named`), by `--all`, and by `--new` (`globs`). */
interface RequestedAdditions {
  named: string[];
  all: boolean | undefined;
  globs: string[];
}

/**
 * Finds the requested objects of the account that the configuration does not declare, so that `accept` adds them. They are
 * unmanaged objects, or objects that the plan would delete because the stack declares their collection completely. Objects of
 * other stacks, and objects that are declared in part, are not added. Throws `Problems` for a glob of `--new` that matches
 * nothing.
 */
export async function findAdditions(
  session: AcceptingStack,
  { plan, live }: { plan: Plan; live: Live },
  { named, all, globs }: RequestedAdditions,
): Promise<Additions> {
  const additions = new Set<Address>();
  const notAdded: string[] = [];
  const candidates = listCandidates(plan, { named, all, globs });
  const findOwner = createOwnerFinder(await session.otherStacks.readAll(), session.kinds, (address) =>
    live.resources.get(address),
  );
  for (const { address, kind, id } of candidates) {
    const owner = findOwner({ kind, address, ids: id.split(',') });
    const isPartlyDeclared = session.desired.resources.has(address) || !live.resources.has(address);
    if (owner !== undefined) notAdded.push(`${address} is owned by the stack ${owner}`);
    else if (isPartlyDeclared)
      notAdded.push(`${address}: it is partly declared; pass it without --new, or add the rest by hand`);
    else additions.add(address);
  }
  const unmatched = createUnmatchedGlobProblems(globs, [
    ...candidates.map(({ address }) => address),
    ...session.desired.resources.keys(),
  ]);
  raiseErrors(unmatched);
  return { additions, notAdded };
}

/**
 * Returns the requested objects that the configuration does not declare: unmanaged ones, and those that the plan would delete because the
 * stack declares their collection completely.
 */
function listCandidates(
  { changes, unmanaged }: Plan,
  { named, all, globs }: RequestedAdditions,
): { address: Address; kind: string; id: string }[] {
  const isNew = globs.length > 0 ? createAddressMatcher(globs) : () => false;
  const isNamed = named.length > 0 ? createAddressMatcher(named) : () => false;
  const wouldBeDeleted = changes
    .filter(({ exclusive, action }) => exclusive && action === 'delete')
    .filter(({ address }) => all || isNew(address) || isNamed(address));
  return [
    ...unmanaged.filter(({ address }) => isNew(address)),
    ...wouldBeDeleted.map(({ address, kind, id = '' }) => ({ address, kind, id })),
  ];
}

/** A field whose value may be a secret. */
interface SecretEntry {
  /** The objects for messages: `projects/web/env/API_KEY [production, preview]`. */
  name: string;
  /** The address without targets. */
  address: Address;
  path: string;
  /** The value in each of the objects that one entry of the YAML declares together. */
  values: PossibleSecret[];
}

/**
 * Groups values that may be secrets by the block of the YAML that has them (an entry for several targets is
 * one block) and by field, so that the user is asked only once about each. `name` is for the question, such
 * as `projects/web/env/API_URL [production, preview]`.
 */
export const groupByEntry = (possibleSecrets: PossibleSecret[]): SecretEntry[] => {
  // A value of no block is a group of its own.
  const byEntry = groupBy(possibleSecrets, ({ entry, path, address }) => entry ?? `${address} ${path}`);
  return [...byEntry.values()].flatMap((ofEntry) =>
    [...groupBy(ofEntry, ({ path }) => path)].map(([path, values]) => {
      const address = addressWithoutTarget(values[0]!.address);
      const targets = values.map(({ address }) => unitSuffixOf(address)).filter((suffix) => suffix !== '');
      const name = targets.length > 0 ? `${address} [${targets.join(', ')}]` : address;
      return { name, address, path, values };
    }),
  );
};

/**
 * Returns the values that `accept` writes to the configuration although they may be secrets, as `ADDRESS
 * PATH`: those of objects that `--values` names, and those that the user confirms. Without a user to ask, or
 * with `--auto-approve`, only the named ones, so that no secret gets into git unnoticed.
 */
export async function confirmPossibleSecrets(
  possibleSecrets: PossibleSecret[],
  { values: globs = [], autoApprove = false }: { values?: string[]; autoApprove?: boolean },
  port: { canAsk: boolean; ask(question: string): Promise<string> },
): Promise<Set<string>> {
  const confirmed = new Set<string>();
  const isNamed = createAddressMatcher(globs);
  const askUser = async ({ name, path }: SecretEntry) => {
    const answer = await port.ask(
      `Write \`${path}\` of ${name} into the configuration, where anyone can read it? It may be a secret. Type \`yes\` to continue: `,
    );
    return answer === 'yes';
  };
  for (const entry of groupByEntry(possibleSecrets)) {
    const areNamed = entry.values.every(({ address }) => isNamed(address));
    const mayWrite = areNamed || (!autoApprove && port.canAsk && (await askUser(entry)));
    if (mayWrite) for (const { address, path } of entry.values) confirmed.add(`${address} ${path}`);
  }
  return confirmed;
}
