/*
 * Opens the session of a stack from a snapshot: a plan then needs no account, no ledger and no secrets. The configuration is read as usual.
 */

import type { Port } from '../../app/port.ts';
import { findSiblings } from '../../app/session/find-siblings.ts';
import { loadForRun } from '../../app/session/load-configuration.ts';
import {
  createLookUp,
  loadDayTwo,
  type OpenOptions,
  openSessionGuards,
  withoutText,
} from '../../app/session/open-session.ts';
import type { Session } from '../../app/session/session.ts';
import type { StackOptions } from '../../app/stack-options.ts';
import { describeOrigins, findCopyableAddresses } from '../../config/judge-secrets.ts';
import { refuseEmptySecrets } from '../../config/read-secret-values.ts';
import type { Sources } from '../../config/sources/sources.ts';
import { warnOfUnusedFlags } from '../../config/unused-flags.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { asWarning, type Diagnostic, problem, raise } from '../../model/diagnostic.ts';
import { createMasking } from '../../model/masking.ts';
import { Sealed } from '../../model/sealed.ts';
import { replaceLiterals } from '../literal-secrets.ts';
import { replayPart } from '../replay-part.ts';
import type { AccountSnapshot, StackPart } from '../snapshot.ts';

/** Returns the part of a snapshot for a stack of the command. Throws `Problems` if it has none. */
export function findPart({ stacks }: AccountSnapshot, id: string): StackPart {
  if (Object.hasOwn(stacks, id)) return stacks[id]!;
  const names = Object.keys(stacks).filter((name) => name !== '');
  const content = names.length > 0 ? `it has the stacks ${names.join(', ')}` : 'it is of one stack';
  raise('snapshot/stack', `the snapshot does not have ${id === '' ? 'one stack alone' : `the stack ${id}`}`, {
    hint: `${content}: plan ${names.length > 0 ? 'with --all, or make one of this stack' : 'without --all'}`,
  });
}

/** Opens the session of a stack, like `openSession`, from what a snapshot has about it. Throws `Problems` if the configuration has errors. */
export async function openSessionFromSnapshot(
  provider: Provider,
  options: StackOptions,
  port: Port,
  part: StackPart,
  { accounts, guards: guardsOf, plans = [], loaded }: OpenOptions & { loaded?: Session },
): Promise<Session> {
  const { host } = port.run;
  const { sources: allSources, configuration: read } =
    loaded ?? (await loadForRun(provider, { ...options, plans }, port));
  // The sources of secrets are not read here, so their flags seem to be unused.
  const sources: Sources = {
    ...allSources,
    unusedFlags: () => allSources.unusedFlags().filter((flag) => (part.unusedFlags ?? []).includes(flag)),
  };
  const configuration = withoutText(read);
  const desired = replaceLiterals(configuration.desired, part.literals);
  if (desired.stack !== part.stack)
    raise('snapshot/stack', `the snapshot is of the stack ${part.stack}, not of ${desired.stack}`, {
      hint: 'make one of this stack: `trueup plan --snapshot FILE`',
    });
  const kinds = kindsOf(provider.kinds);
  const masking = accounts?.masking ?? createMasking();
  const origins = await describeOrigins(configuration, sources);
  const secrets = new Map(
    part.secrets.flatMap(({ name, source, token }) =>
      configuration.usedSecrets.has(name) && origins.get(`secret ${name}`) === source
        ? [[name, new Sealed(token, name)] as const]
        : [],
    ),
  );
  for (const secret of secrets.values()) masking.addSecret(secret);
  const secretProblems = describeMissingSecrets([...configuration.usedSecrets], secrets, part);
  const judge = guardsOf
    ? await openSessionGuards(provider, options, { configuration, host, masking, writes: false })
    : loaded?.recording?.judge;
  const observed = replayPart(part);
  const { first, last } = part.ledgerWarnings;
  return {
    ...observed,
    desired,
    origins,
    allowLive: await findCopyableAddresses(configuration, sources, host.cwd),
    secrets,
    masking,
    diagnostics: [
      ...configuration.diagnostics,
      ...secretProblems.map(asWarning),
      ...refuseEmptySecrets(configuration, kinds, secrets),
      ...first,
      ...(accounts || options.twin ? [] : warnOfUnusedFlags([{ configuration, sources }])),
      ...last,
    ],
    kinds,
    siblings: await findSiblings(configuration, part.ledger, false, provider, options, port.run),
    guards: judge,
    dayTwo: () => loadDayTwo(provider),
    meaning: provider.meaning,
    besides: accounts?.besides,
    lookUp: createLookUp(provider, {
      connection: observed.connection,
      owner: part.owner,
      kinds,
      readLedger: async () => part.ledger,
    }),
    writes: false,
    say: port.say,
    host,
    ledgerChoice: { repositoryLedger: undefined },
    configuration,
    sources,
    close: async () => {},
  };
}

/** Returns why secrets of the configuration are not available: as in the run that made the snapshot, or because that run did not have them. */
function describeMissingSecrets(
  used: readonly string[],
  secrets: ReadonlyMap<string, Sealed>,
  { secretProblems }: StackPart,
): Diagnostic[] {
  const recorded = new Set(secretProblems.map(({ secret }) => secret?.name));
  const missing = used.filter((name) => !secrets.has(name) && !recorded.has(name));
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
