import { type Address, ancestorsAmong, isWithinAny } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { OtherStack } from '../../model/ledger.ts';
import type { Plan } from '../../model/plan.ts';
import { type CollectionId, collectionId } from '../../model/resource.ts';
import { holesIn, isRef } from '../../model/value.ts';
import type { Session } from '../session/session.ts';
import type { PlannedStack } from './plan-stacks.ts';

/** The effects on one account, see `OtherStacksWork`. */
interface AccountEffects {
  written: Set<CollectionId>;
  deleted: Set<Address>;
}

/**
 * The effects of the stacks of one run on each other. They tell a change that this run made from one that somebody else made: a stack that
 * is planned again accepts the former and refuses the latter. Stacks in different accounts have no effect on each other.
 */
export class RunEffects {
  readonly #byAccount = new Map<string, AccountEffects>();
  /** The deleted objects by the name of the stack that owned them. */
  readonly #deletedBy = new Map<string, Set<Address>>();
  readonly #locks: ReadonlyMap<PlannedStack, ReadonlySet<string>>;
  readonly #oneAtATime = oneAtATime();

  constructor(planned: readonly PlannedStack[]) {
    const toDelete = new Set(planned.flatMap((stack) => deletedIn(stack.planned!.plan)));
    this.#locks = new Map(
      planned.map((stack) => [stack, new Set([...listsOf(stack), ...mentionedIn(stack, toDelete)])]),
    );
    for (const { session } of planned) this.#keepOthersCurrent(session!);
  }

  /** Returns the effects on the account of a session so far. */
  on({ ledger }: Pick<Session, 'ledger'>): AccountEffects {
    const account = JSON.stringify([ledger.baseUrl, ledger.owner]);
    const effects = this.#byAccount.get(account) ?? { written: new Set(), deleted: new Set() };
    this.#byAccount.set(account, effects);
    return effects;
  }

  /** Works on a stack while no other stack works on the same lists, or on objects that either of them deletes. */
  inTurn<T>(stack: PlannedStack, work: (free: () => void) => T | Promise<T>): Promise<T> {
    return this.#oneAtATime(this.#locks.get(stack)!, (free) =>
      work(() => {
        const { written } = this.on(stack.session!);
        for (const list of listsOf(stack)) written.add(list);
        free();
      }),
    );
  }

  /** Notes a plan of a stack whose requests are about to be sent. */
  begin(session: Session, plan: Plan): void {
    const addresses = deletedIn(plan);
    this.noteDeleted(session, addresses);
    this.#deletedBy.set(session.desired.stack, new Set(addresses));
  }

  /** Notes objects that the stack of a session deletes, or that an earlier run of the same plans deleted. */
  noteDeleted(session: Session, addresses: readonly Address[]): void {
    const { deleted } = this.on(session);
    for (const address of addresses) deleted.add(address);
  }

  /** Removes from what a session knows of the other stacks the objects that these deleted since it read their ledgers. */
  #keepOthersCurrent(session: Session): void {
    const atFirst = session.others;
    const withoutDeleted = (otherStack: OtherStack): OtherStack => {
      const deleted = this.#deletedBy.get(otherStack.stack);
      if (!deleted?.size) return otherStack;
      const left = Object.entries(otherStack.entries).filter(([address]) => !isWithinAny(address, deleted));
      return { ...otherStack, entries: Object.fromEntries(left) };
    };
    Object.defineProperty(session, 'others', {
      configurable: true,
      enumerable: true,
      get: () => {
        const others = atFirst.then((stacks) => stacks.map(withoutDeleted));
        // A plan that fails before it awaits them reports its own error.
        others.catch(() => {});
        return others;
      },
    });
  }
}

/** Returns the addresses of the objects that a plan deletes. What they contain is deleted with them. */
export const deletedIn = ({
  changes,
}: {
  changes: readonly Pick<Change, 'address' | 'action'>[];
}): Address[] => changes.flatMap(({ address, action }) => (action === 'delete' ? [address] : []));

/** The lists to which a stack writes, and of which there is one draft or one order for all. */
export function listsOf({ session, planned }: Pick<PlannedStack, 'session' | 'planned'>): Set<CollectionId> {
  const { changes, operations } = planned!.plan;
  const written = new Set(operations.flatMap((operation) => operation.changes));
  const lists = changes.flatMap(({ address, kind, parent }) => {
    const { staging, orderDecides } = session!.kinds.get(kind)!.shape;
    return written.has(address) && (staging || orderDecides) ? [collectionId(kind, parent)] : [];
  });
  return new Set(lists);
}

/** Returns those of these objects that a stack deletes, or that its changes lie in or refer to. */
function mentionedIn({ planned }: PlannedStack, toDelete: ReadonlySet<Address>): Set<Address> {
  if (toDelete.size === 0) return new Set();
  const mentioned = planned!.plan.changes.flatMap(({ address, before }) => [
    address,
    ...holesIn(before?.fields).flatMap((hole) => (isRef(hole) ? [hole.$ref] : [])),
  ]);
  return new Set(mentioned.flatMap((address) => ancestorsAmong(address, toDelete)));
}

/**
 * Lets what has a list in common work one after another: side by side, each would promote what another one is still staging. `free` is
 * called by work that is done with its lists, and goes on with something else.
 */
function oneAtATime(): <T>(
  locks: ReadonlySet<string>,
  work: (free: () => void) => T | Promise<T>,
) => Promise<T> {
  const last = new Map<string, Promise<void>>();
  return async (locks, work) => {
    const before = [...locks].flatMap((lock) => last.get(lock) ?? []);
    let free = () => {};
    const freed = new Promise<void>((done) => {
      free = done;
    });
    for (const lock of locks) last.set(lock, freed);
    await Promise.all(before);
    try {
      return await work(free);
    } finally {
      free();
    }
  };
}
