/*
 * Plans from a snapshot: opens the sessions of stacks from a file that has what a plan was made from, instead of from an account.
 */

import type { SessionSource, StackToPlan } from '../../app/planning/plan-stacks.ts';
import type { Port } from '../../app/port.ts';
import type { Session } from '../../app/session/session.ts';
import type { Provider } from '../../kind/provider.ts';
import { Problems, problem } from '../../model/diagnostic.ts';
import type { AccountSnapshot } from '../snapshot.ts';
import { openSessionFromAnonymous } from './session-from-anonymous.ts';
import { findPart, openSessionFromSnapshot } from './session-from-snapshot.ts';

/**
 * Returns the source of sessions for `plan --from`, so that `planStacks` plans from the snapshot instead of the account. `loaded`: the
 * sessions that the snapshot was made with, by the id of their stack. A check of a new snapshot passes them, so that configurations are not
 * read again and guards are not asked again.
 */
export const createSnapshotSource = (
  snapshot: AccountSnapshot,
  loaded?: ReadonlyMap<string, Session>,
): SessionSource => ({
  listStacks: (stacks) => (snapshot.anonymous ? listEmbeddedStacks(stacks, snapshot) : stacks),
  openStack: (provider, stack, options) =>
    openFromSnapshot(provider, stack, snapshot, { ...options, loaded }),
  describeFailure: describeSnapshotFailure,
});

/**
 * Returns the stacks that an anonymous snapshot has, with the options that decide about their plans, for `planStacks`. No workspace is
 * read, so the first stack of the command only gives the other options and the port (where messages go).
 */
function listEmbeddedStacks<P extends Port>(
  stacks: readonly StackToPlan<P>[],
  { stacks: parts }: AccountSnapshot,
): readonly StackToPlan<P>[] {
  const [first] = stacks;
  if (!first) return stacks;
  return Object.entries(parts).map(([id, { configuration }]) => {
    const { options, waitsFor } = configuration ?? { options: {}, waitsFor: [] };
    return {
      ...first,
      id,
      path: id,
      // The order of planning is all that the snapshot keeps of the needs.
      needs: [...waitsFor],
      waitsFor: [...waitsFor],
      options: { ...first.options, ...options },
    };
  });
}

/**
 * Opens the session of one stack for `plan --from`, from what the snapshot has about the stack, its part. Only an anonymous snapshot has a
 * configuration in its parts: with another one, the configuration is read here. `files`: the saved plans that the command names. `loaded`:
 * see `createSnapshotSource`. Throws `Problems` if the snapshot does not have the stack.
 */
async function openFromSnapshot(
  provider: Provider,
  { id, options, port }: StackToPlan,
  snapshot: AccountSnapshot,
  {
    accounts,
    files = [],
    loaded,
  }: Parameters<SessionSource['openStack']>[2] & { loaded?: ReadonlyMap<string, Session> | undefined },
): Promise<Session> {
  const stackPart = findPart(snapshot, id);
  const { configuration } = stackPart;
  if (configuration)
    return openSessionFromAnonymous(provider, options, port, { ...stackPart, configuration }, { accounts });
  return openSessionFromSnapshot(provider, options, port, stackPart, {
    plans: files,
    // The loaded session has the verdict of the guards already.
    guards: loaded ? undefined : 'plan',
    accounts,
    loaded: loaded?.get(id),
  });
}

/**
 * Returns the error to show if a plan from a snapshot failed. Another person may have changed the file, so an unexpected error of the
 * program counts as a problem of the file.
 */
const describeSnapshotFailure = (error: unknown): unknown =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
    ? new Problems([
        problem('snapshot/file', `no plan can be made from this snapshot: ${error.message}`, {
          hint: 'make a new one: `trueup plan --snapshot FILE`',
        }),
      ])
    : error;
