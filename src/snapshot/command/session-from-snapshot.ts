/*
 * Opens the session of a stack from a snapshot: a plan then needs no account, no ledger and no secrets. The configuration is read as usual.
 */

import type { Port } from '../../app/port.ts';
import { findSiblings } from '../../app/session/find-siblings.ts';
import { loadForRun } from '../../app/session/load-configuration.ts';
import { type OpenOptions, openSessionGuards, withoutText } from '../../app/session/open-session.ts';
import type { Session } from '../../app/session/session.ts';
import { collectSessionDiagnostics } from '../../app/session/session-diagnostics.ts';
import type { StackOptions } from '../../app/stack-options.ts';
import { describeOrigins, findCopyableAddresses } from '../../config/judge-secrets.ts';
import type { Sources } from '../../config/sources/sources.ts';
import type { Provider } from '../../kind/provider.ts';
import { type Diagnostic, problem, raise } from '../../model/diagnostic.ts';
import type { Sealed } from '../../model/sealed.ts';
import { replaceLiterals } from '../literal-secrets.ts';
import type { AccountSnapshot, StackPart } from '../snapshot.ts';
import { createPartSession } from './create-part-session.ts';

/**
 * Returns what a snapshot has about one stack (its part) for `plan --from`. Throws `Problems` if it has none. `id`: the name of the stack
 * in its workspace; empty for a plan of one stack without a workspace.
 */
export function findPart({ stacks }: AccountSnapshot, id: string): StackPart {
  if (Object.hasOwn(stacks, id)) return stacks[id]!;
  const names = Object.keys(stacks).filter((name) => name !== '');
  const content = names.length > 0 ? `it has the stacks ${names.join(', ')}` : 'it is of one stack';
  raise('snapshot/stack', `the snapshot does not have ${id === '' ? 'one stack alone' : `the stack ${id}`}`, {
    hint: `${content}: plan ${names.length > 0 ? 'with --all, or make one of this stack' : 'without --all'}`,
  });
}

/**
 * Opens the session of a stack (its configuration, account and ledger) for `plan --from SNAPSHOT`: like `openSession`, but without an
 * account and without secrets. `part` is what the snapshot has about the stack: the answers of the account and the ledger, for example.
 * `loaded`: to check a new snapshot, the session that it was made with, so that the configuration is not read again. Throws `Problems` if
 * the configuration has errors.
 */
export async function openSessionFromSnapshot(
  provider: Provider,
  options: StackOptions,
  port: Port,
  part: StackPart,
  { accounts, guards, plans = [], loaded }: OpenOptions & { loaded?: Session },
): Promise<Session> {
  const { host } = port.run;
  const read = loaded ?? (await loadForRun(provider, { ...options, plans }, port));
  const configuration = withoutText(read.configuration);
  // Literals are secrets that stand in the configuration in clear. The answers in the snapshot have tokens instead.
  const desired = replaceLiterals(configuration.desired, part.literals);
  if (desired.stack !== part.stack)
    raise('snapshot/stack', `the snapshot is of the stack ${part.stack}, not of ${desired.stack}`, {
      hint: 'make one of this stack: `trueup plan --snapshot FILE`',
    });
  const sources = withoutUnreadFlags(read.sources, part);
  const origins = await describeOrigins(configuration, sources);
  // A secret with another source by now may have another value.
  const knownSecrets = part.secrets.filter(
    ({ name, source }) => configuration.usedSecrets.has(name) && origins.get(`secret ${name}`) === source,
  );
  const partSession = createPartSession(provider, port, part, { accounts, knownSecrets });
  const { kinds, masking, secrets } = partSession;
  // The recorded warnings about the ledger stand at the same places among the other problems as in the original plan.
  const { first, last } = part.ledgerWarnings;
  const secretProblems = describeMissingSecrets([...configuration.usedSecrets], secrets, part);
  const loadedRun = { configuration, sources, kinds, secrets, secretProblems, ledgerWarnings: first };
  return {
    ...partSession,
    desired,
    origins,
    guards: guards
      ? await openSessionGuards(provider, options, { configuration, host, masking, writes: false })
      : loaded?.recording?.judge,
    allowLive: await findCopyableAddresses(configuration, sources, host.cwd),
    diagnostics: [...collectSessionDiagnostics(loadedRun, options, accounts !== undefined), ...last],
    siblings: await findSiblings(configuration, part.ledger, { isEnd: false }, provider, options, port.run),
    configuration,
    sources,
  };
}

/**
 * Returns the sources of a configuration for a plan from a snapshot. This plan reads no secrets, so the flags that allow their sources
 * would seem to be unused: only those count as unused that the run of the snapshot did not use either.
 */
const withoutUnreadFlags = (sources: Sources, part: StackPart): Sources => ({
  ...sources,
  unusedFlags: () => sources.unusedFlags().filter((flag) => part.unusedFlags.includes(flag)),
});

/**
 * Returns why secrets that the configuration uses are not available in a plan from a snapshot: the problems that the run of the
 * snapshot had with them, and one problem for each secret that this run did not have at all.
 */
function describeMissingSecrets(
  used: readonly string[],
  secrets: ReadonlyMap<string, Sealed>,
  { secretProblems }: StackPart,
): Diagnostic[] {
  const recorded = new Set(secretProblems.map(({ secret }) => secret?.name));
  // A problem that names no secret is about all of them: together they are too large.
  const missing = recorded.has(undefined)
    ? []
    : used.filter((name) => !secrets.has(name) && !recorded.has(name));
  return [
    ...secretProblems,
    ...missing.map((name) =>
      problem('snapshot/secret', `the snapshot does not have the secret \`${name}\`, so it is not compared`, {
        secret: { name },
        hint: 'make a new snapshot with this configuration',
      }),
    ),
  ];
}
