import type { Port } from '../../app/port.ts';
import { createNameFinder, createSources, loadConfiguration } from '../../app/session/load-configuration.ts';
import { connectAccount, openAccount } from '../../app/session/open-account.ts';
import type { StackOptions } from '../../app/stack-options.ts';
import type { Configuration } from '../../config/configuration.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { Evidence } from '../../kind/evidence.ts';
import type { Kind } from '../../kind/kind.ts';
import type { ApiOperation, Provider, Scope } from '../../kind/provider.ts';
import { operationNameOf } from '../../manual/coverage.ts';
import { Problems, raise } from '../../model/diagnostic.ts';
import { version } from '../../model/version.ts';
import { type CommandCheck, checkCommandNeeds } from '../../permissions/check-needs.ts';
import { type CommandNeeds, findCommandNeeds, readEndpointsOf } from '../../permissions/find-needs.ts';
import { createReport, type DoctorReport } from '../doctor-report.ts';
import { type ExaminedAccount, examineAccount, readTokenFacts, toReadClient } from '../examine-account.ts';
import { type AnswerExaminer, createAnswerExaminer } from '../examine-answers.ts';
import { calibrate } from './calibrating.ts';

/** The needs of a configuration and, if the token was read, what it may do of them. */
export interface Permissions {
  needs: CommandNeeds[];
  checks?: CommandCheck[];
}

/**
 * Returns what a token must be allowed to do for each command with a configuration, for `trueup permissions`. `check`: true to compare that
 * with the token in use. Throws `Problems` if the configuration has errors or the account cannot be read.
 */
export async function findPermissions(
  provider: Provider,
  options: StackOptions & { check?: boolean },
  port: Port,
): Promise<Permissions> {
  const { configuration, evidence, needs } = await prepareExamination(provider, options, port, {
    isOnlyShown: true,
  });
  if (!options.check) return { needs };
  const declared = createNameFinder(configuration, kindsOf(provider.kinds));
  const accountOptions = { ...options, declared };
  const scope = scopeOf(configuration);
  const { connection, owner, close } = await openAccount(provider, scope, accountOptions, port);
  try {
    const token = await readTokenFacts(toReadClient(connection), evidence.tokens, owner.facts);
    return { needs, checks: checkCommandNeeds(needs, token, evidence.tokens) };
  } finally {
    await close();
  }
}

/**
 * Examines the account of a configuration for `trueup doctor`: what the token may do, and answers that contradict the documentation of the
 * platform. `calibrate`: a recording that is compared with the twin (a simulated platform); the account is then examined as far as there is
 * a configuration. Throws `Problems` only for the configuration and the recording.
 */
export async function examine(
  provider: Provider,
  { calibrate: file, ...options }: StackOptions & { calibrate?: string },
  port: Port,
): Promise<DoctorReport> {
  if (file === undefined) return examineConfigured(provider, options, port);
  const { host } = port.run;
  const baseUrl = options.baseUrl ?? host.env.TRUEUP_BASE_URL;
  const calibration = await calibrate(provider, file, { host, baseUrl });
  const report = await examineConfigured(provider, options, port).catch(async (error: unknown) => {
    if (options.file !== undefined || !isWithoutConfiguration(error)) throw error;
    return reportWithoutAccount(await provider.evidence(), host.clock.now());
  });
  return { ...report, calibration };
}

/**
 * Reads the account of a configuration, and makes the report of `trueup doctor` from the findings that the `examiner` collects in its
 * answers. Throws `Problems` only for the configuration itself. A problem that prevents every request, such as a missing token, is a
 * finding: the report has its code, because messages can contain names.
 */
async function examineConfigured(
  provider: Provider,
  options: StackOptions,
  port: Port,
): Promise<DoctorReport> {
  const input = await prepareExamination(provider, options, port);
  const { evidence, needs, examiner, readOperationsOf, configuration } = input;
  const { desired } = configuration;
  const { account, problem } = await readAccount(provider, options, port, input);
  const names = new Set([...desired.resources.values()].map(({ kind }) => kind));
  return createReport({
    version,
    evidence,
    examiner,
    readOperationsOf,
    account,
    now: port.run.host.clock.now(),
    kinds: provider.kinds.filter(({ name }) => names.has(name)),
    needs: checkCommandNeeds(needs, account.token, evidence.tokens),
    problem: problem?.diagnostics[0]?.code,
  });
}

/** The findings about an account if none of it could be read. */
const unreadAccount: ExaminedAccount = {
  token: {},
  failures: [],
  unreadable: new Map(),
  kindsWithObjects: new Set(),
};

/** Returns the report of a run that reads no account, because there is no configuration: only a recording is examined. */
const reportWithoutAccount = (evidence: Evidence, now: number): DoctorReport =>
  createReport({
    version,
    evidence,
    now,
    account: unreadAccount,
    kinds: [],
    needs: [],
    examiner: createAnswerExaminer(evidence, [], () => []),
    readOperationsOf: () => [],
  });

/** True for the error of a folder without configuration. */
const isWithoutConfiguration = (error: unknown): boolean =>
  error instanceof Problems && error.diagnostics.every(({ code }) => code === 'file/missing');

/** Returns the account that a configuration names, which `doctor` and `permissions --check` read. Throws `Problems` if it names none. */
const scopeOf = ({ platform }: Configuration): Scope =>
  platform ??
  raise('config/platform', 'the configuration does not name an account', {
    hint: 'write `platform: { team: SLUG }`, or `platform: { personal: true }`',
  });

/** Everything that `doctor` and `permissions` know before they read the account. */
interface ExaminationInput {
  configuration: Configuration;
  evidence: Evidence;
  needs: CommandNeeds[];
  examiner: AnswerExaminer;
  /** Returns the operations of the catalog by which a kind is read. */
  readOperationsOf(kind: Kind): readonly string[];
}

/**
 * Loads the configuration, and what the tool knows about the platform: its operations, its documented facts, and the requests that each
 * command needs. Used by `doctor` and `permissions`. `isOnlyShown`: true (for `permissions`) if it is no error that the configuration uses
 * a variable or file that may not be read. Throws `Problems`.
 */
async function prepareExamination(
  provider: Provider,
  options: StackOptions,
  port: Port,
  { isOnlyShown = false } = {},
): Promise<ExaminationInput> {
  const sources = createSources(options, port.run.host, port);
  const configuration = await loadConfiguration(provider, options, port.run, { sources, isOnlyShown });
  const [evidence, operations, actionsAndLookups] = await Promise.all([
    provider.evidence(),
    provider.operations(),
    provider.actionsAndLookups(),
  ]);
  const kinds = kindsOf(provider.kinds);
  const { desired, platform } = configuration;
  const readsByKind = new Map(provider.kinds.map((kind) => [kind, readOperations(kind, operations)]));
  const readersOf = (operation: string) =>
    provider.kinds.filter((kind) => readsByKind.get(kind)!.includes(operation));
  return {
    configuration,
    evidence,
    needs: findCommandNeeds({
      desired,
      platform,
      kinds,
      operations,
      actionsAndLookups,
      accountReads: provider.lookups,
      tokens: evidence.tokens,
    }),
    examiner: createAnswerExaminer(evidence, provider.kinds, readersOf),
    readOperationsOf: (kind) => readsByKind.get(kind)!,
  };
}

/** Returns the operations of the catalog by which a kind is read. */
const readOperations = (kind: Kind, operations: readonly ApiOperation[]): string[] =>
  readEndpointsOf(kind).map((endpoint) => operationNameOf(endpoint, operations));

/**
 * Connects to the account of a configuration and reads it. The result has the `problem` that prevented every request, such as a missing
 * token, since `trueup doctor` reports it like any other finding.
 */
async function readAccount(
  provider: Provider,
  options: StackOptions,
  port: Port,
  { configuration, evidence, examiner }: ExaminationInput,
): Promise<{ account: ExaminedAccount; problem?: Problems }> {
  const scope = scopeOf(configuration);
  try {
    const onAnswer = examiner.examine;
    const declared = createNameFinder(configuration, kindsOf(provider.kinds));
    const accountOptions = { ...options, declared };
    const { connection, close } = await connectAccount(provider, scope, accountOptions, port, { onAnswer });
    try {
      const client = toReadClient(connection);
      const kinds = kindsOf(provider.kinds);
      return { account: await examineAccount(client, evidence, configuration.desired, kinds) };
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof Problems)) throw error;
    return { account: unreadAccount, problem: error };
  }
}
