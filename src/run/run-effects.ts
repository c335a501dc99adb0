import { type Address, ancestorsAmong, isWithinAny } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { OtherStack } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import { type CollectionId, collectionId } from '../model/resource.ts';
import { holesIn, isRef } from '../model/value.ts';
import type { Planned } from './open-plan.ts';
import type { RunSession } from './session.ts';

/** One of several stacks that a run applies: its session and its plan, if it could be planned. */
interface PlannedSession {
  session?: RunSession;
  planned?: Planned;
}

/** The effects of one run in one account. */
interface AccountEffects {
  /** The written lists whose order or unpublished version all stacks share, so that later plans differ there. */
  written: Set<CollectionId>;
  /** The deleted objects. */
  deleted: Set<Address>;
}

/**
 * Records what the stacks of one run have changed, so that a stack that is planned again accepts the changes of this
 * run and refuses those of other people. Also lets stacks take turns if they write to the same lists. A stack only
 * accepts changes in its own account.
 */
export class RunEffects {
  readonly #byAccount = new Map<string, AccountEffects>();
  /** The deleted objects by the name of the stack that owned them. */
  readonly #deletedBy = new Map<string, Set<Address>>();
  readonly #locks: ReadonlyMap<PlannedSession, ReadonlySet<string>>;
  readonly #takeTurn = createTurns();

  /**
   * Prepares an apply of several stacks at once. Stacks that need a common lock take turns. A stack needs a lock for each list of objects
   * that it writes to and whose order or unpublished version all stacks share (the routes of a project, for example), and for each object
   * that some stack deletes and that its own plan mentions. From now on, its session reads the ledgers of the other stacks without the
   * objects that this run deletes, so that its later plans do not count on them.
   */
  constructor(stacks: readonly PlannedSession[]) {
    const toDelete = new Set(stacks.flatMap(({ planned }) => (planned ? deletedIn(planned.plan) : [])));
    const locksOf = (stack: PlannedSession) =>
      new Set([...sharedListsOf(stack), ...mentionedIn(stack, toDelete)]);
    this.#locks = new Map(stacks.map((stack) => [stack, locksOf(stack)]));
    for (const { session } of stacks) this.#hideDeletedObjectsOfOthers(session!);
  }

  /**
   * Returns what this run of several stacks has written and deleted so far in the account of a session, so
   * that a later stack in the same account does not report it as changed by somebody else.
   */
  inAccountOf({ ledger }: Pick<RunSession, 'ledger'>): AccountEffects {
    const account = JSON.stringify([ledger.baseUrl, ledger.owner]);
    const effects = this.#byAccount.get(account) ?? { written: new Set(), deleted: new Set() };
    // Kept from the first call on, because callers add to the returned sets.
    this.#byAccount.set(account, effects);
    return effects;
  }

  /**
   * Works on a stack while no other stack works on the same lists, or on objects that either of them deletes. `work` calls `release` when
   * it is done with its lists but goes on, for example to verify the result: then the next stack starts, and finds these lists among the
   * written ones (`inAccountOf`). Without that call, the next stack starts when `work` has ended, and no list counts as written.
   */
  takeTurn<T>(stack: PlannedSession, work: (release: () => void) => T | Promise<T>): Promise<T> {
    return this.#takeTurn(this.#locks.get(stack)!, (release) =>
      work(() => {
        const { written } = this.inAccountOf(stack.session!);
        for (const list of sharedListsOf(stack)) written.add(list);
        release();
      }),
    );
  }

  /**
   * Records the deletions of a plan whose requests are about to be sent, so that other stacks stop counting on the deleted objects: by
   * account (`inAccountOf`), and by the stack that owned them, for the ledgers that the other stacks read.
   */
  begin(session: RunSession, plan: Plan): void {
    const addresses = deletedIn(plan);
    this.noteDeleted(session, addresses);
    this.#deletedBy.set(session.desired.stack, new Set(addresses));
  }

  /** Records objects that the stack of a session deletes, or that an earlier run of the same plans deleted. */
  noteDeleted(session: RunSession, addresses: readonly Address[]): void {
    const { deleted } = this.inAccountOf(session);
    for (const address of addresses) deleted.add(address);
  }

  /**
   * Makes the session of one stack read the ledgers of the other stacks without the objects that this apply of
   * several stacks deletes (from `begin` on). Otherwise its plan would count on objects that are gone.
   */
  #hideDeletedObjectsOfOthers(session: RunSession): void {
    const othersAtStart = session.otherStacks;
    /** Returns another stack without the objects that this run has deleted for it. */
    const withoutDeleted = (otherStack: OtherStack): OtherStack => {
      const deleted = this.#deletedBy.get(otherStack.stack);
      if (!deleted?.size) return otherStack;
      const entries = Object.entries(otherStack.entries).filter(
        ([address]) => !isWithinAny(address, deleted),
      );
      return { ...otherStack, entries: Object.fromEntries(entries) };
    };
    const readAll = async () => (await othersAtStart.readAll()).map(withoutDeleted);
    session.otherStacks = {
      // These count ledgers, not objects.
      count: () => othersAtStart.count(),
      countReadWithoutIndex: () => othersAtStart.countReadWithoutIndex(),
      readAll,
      // The index of the store lacks the deletions of this run.
      readConcerned: async (ask) =>
        this.#deletedBy.size === 0 ? othersAtStart.readConcerned(ask) : { stacks: await readAll() },
    };
  }
}

/**
 * Returns the addresses of the objects that a plan deletes, each standing for all that it contains. In an
 * apply of several stacks, the others must not count on these objects.
 */
export const deletedIn = ({
  changes,
}: {
  changes: readonly Pick<Change, 'address' | 'action'>[];
}): Address[] => changes.flatMap(({ address, action }) => (action === 'delete' ? [address] : []));

/**
 * Returns the lists that a stack writes to: those with one unpublished version or one order for all of their objects.
 * In an apply of several stacks, two that write to one of them at the same time would publish each other's unfinished
 * changes, or disturb each other's order.
 */
function sharedListsOf({ session, planned }: PlannedSession): Set<CollectionId> {
  if (!planned) return new Set();
  const { changes, operations } = planned.plan;
  const written = new Set(operations.flatMap((operation) => operation.changes));
  const lists = changes.flatMap(({ address, kind, parent }) => {
    const { staging, orderDecides } = session!.kinds.get(kind)!.shape;
    return written.has(address) && (staging || orderDecides) ? [collectionId(kind, parent)] : [];
  });
  return new Set(lists);
}

/**
 * Returns those objects of `toDelete` (deleted by some stack of the run) that this stack must not work on meanwhile, as
 * locks: stacks with a common one take turns. These are the objects for which the plan of this stack has an entry, for
 * them or for something in them, even a `noop`, and those to which an object of the plan refers now (`before`),
 * directly or to something in them.
 */
function mentionedIn({ planned }: PlannedSession, toDelete: ReadonlySet<Address>): Set<Address> {
  if (!planned || toDelete.size === 0) return new Set();
  const mentioned = planned.plan.changes.flatMap(({ address, before }) => [
    address,
    ...holesIn(before?.fields).flatMap((hole) => (isRef(hole) ? [hole.$ref] : [])),
  ]);
  return new Set(mentioned.flatMap((address) => ancestorsAmong(address, toDelete)));
}

/**
 * Creates a function to do `work` after all earlier work with one of the same locks has ended or called its `release`.
 * So an apply of several stacks works one after the other on those that touch the same lists of an account.
 */
function createTurns(): <T>(
  locks: ReadonlySet<string>,
  work: (release: () => void) => T | Promise<T>,
) => Promise<T> {
  const lastTurns = new Map<string, Promise<void>>();
  return async (locks, work) => {
    const earlierTurns = [...locks].flatMap((lock) => lastTurns.get(lock) ?? []);
    let release = () => {};
    // Resolves when this work calls `release` or has ended.
    const turn = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const lock of locks) lastTurns.set(lock, turn);
    await Promise.all(earlierTurns);
    try {
      return await work(release);
    } finally {
      release();
    }
  };
}
