import { readRegularFile } from '../../config/sources/regular-file.ts';
import type { Host } from '../../host.ts';
import { resolvePath } from '../../host.ts';
import type { Evidence, RecordedExchange } from '../../kind/evidence.ts';
import type { Kind } from '../../kind/kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { operationNameOf } from '../../manual/coverage.ts';
import { requestsOf } from '../../manual/kind-requests.ts';
import { describeSystemError } from '../../model/describe-errors.ts';
import { raise } from '../../model/diagnostic.ts';
import { createFactJudge, type FactFinding, toFactFindings } from '../fact-findings.ts';
import {
  type Calibration,
  type JudgedExchange,
  type OperationKnowledge,
  summarizeCalibration,
} from '../recording/calibration-findings.ts';
import { createCallFinder } from '../recording/find-recorded-operation.ts';
import { type HarExchange, maxRecordingBytes, readHar } from '../recording/read-har.ts';
import {
  type ComparableExchange,
  type NotComparable,
  replayRecording,
} from '../recording/replay-recording.ts';
import {
  createReadTest,
  isRequiredAt,
  listsReadBy,
  membersReadBy,
  namesInShape,
  namesInSource,
} from '../shown-names.ts';
import { openRecordedTwin } from './recorded-twin.ts';

/**
 * Compares the answers in a recording of the real platform with those of a new twin (a simulated platform in this process) to the same
 * requests, and with the facts that trueup relies on, for `trueup doctor --calibrate`. Needs no token, and reaches no network. `baseUrl`:
 * another address of the platform that the recording may name. Throws `Problems` if the file cannot be read or is no recording.
 */
export async function calibrate(
  provider: Provider,
  file: string,
  { host, baseUrl }: { host: Host; baseUrl?: string | undefined },
): Promise<Calibration> {
  const recorded = readHar(await readRecording(host, file), file);
  const [evidence, published, extra] = await Promise.all([
    provider.evidence(),
    provider.operations(),
    provider.extraOperations(),
  ]);
  const operations = [...published, ...extra];
  const isOfPlatform = createHostFilter([provider.baseUrl, ...(baseUrl ? [baseUrl] : [])]);
  const findCall = createCallFinder(operations);
  const exchanges = recorded.map((exchange) => toComparableExchange(exchange, isOfPlatform, findCall));
  // The other exchanges are only counted, by the reason why they cannot be compared.
  const comparable = exchanges.filter(isComparable);
  const findKindsUsing = createKindFinder(provider, (kind) =>
    requestsOf(kind).map(({ endpoint }) => operationNameOf(endpoint, operations)),
  );
  const shownNames = findShownNames(evidence, provider.kinds, findKindsUsing, comparable);
  const twin = await openRecordedTwin(provider, comparable);
  const judgements = await replayRecording(comparable, twin.send, shownNames, twin.ids).finally(twin.close);
  const judgementOf = new Map(comparable.map((exchange, index) => [exchange, judgements[index]!]));
  const judged = exchanges.map((exchange) =>
    isComparable(exchange)
      ? { operation: exchange.operation, judgement: judgementOf.get(exchange)! }
      : exchange,
  );
  return summarizeCalibration(judged, judgeFacts(evidence, comparable), (operation) =>
    toOperationKnowledge(operation, findKindsUsing(operation), evidence),
  );
}

/** True for an exchange that can be sent to the twin. The others are judged already: they cannot be compared. */
const isComparable = (exchange: ComparableExchange | JudgedExchange): exchange is ComparableExchange =>
  'path' in exchange;

/** Returns the facts about an operation that decide whether a difference in its answers is serious. `kinds`: those that use it. */
function toOperationKnowledge(
  operation: string,
  kinds: readonly Kind[],
  { shapes }: Evidence,
): OperationKnowledge {
  // An object that was just created has the state that the request gives it, so no member is missing by chance.
  const isCreation = operation.startsWith('POST ');
  return {
    kinds: kinds.map(({ name }) => name),
    isRead: createReadTest(kinds),
    isOptional: (path) => !isCreation && !isRequiredAt(shapes[operation], path),
  };
}

/**
 * Reads the text of the recording (a HAR file) that `trueup doctor --calibrate` names. Throws `Problems` if the file cannot be read or is
 * too large.
 */
async function readRecording(host: Host, file: string): Promise<string> {
  const bytes = await readRegularFile(resolvePath(host, file), maxRecordingBytes).catch((error: Error) =>
    raise('doctor/recording', `the recording ${file} cannot be read: ${describeSystemError(error)}`),
  );
  if (bytes === 'special') raise('doctor/recording', `${file} is not a regular file`);
  if (bytes === 'too-large')
    raise('doctor/recording', `${file} is larger than ${maxRecordingBytes / 1024 / 1024} MB`, {
      hint: 'record fewer requests, or leave out the answers that are not from the API',
    });
  return bytes.toString('utf8');
}

/**
 * Creates a test for URLs of the platform: those at its base URLs, and those of this machine, because a recording can come from a local
 * proxy.
 */
function createHostFilter(baseUrls: readonly string[]): (url: URL) => boolean {
  const hosts = new Set(baseUrls.filter((text) => URL.canParse(text)).map((text) => new URL(text).host));
  return ({ host, hostname }) => hosts.has(host) || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

/**
 * Returns a recorded exchange (a request and its answer) in the form in which `trueup doctor --calibrate` sends it to the twin (a simulated
 * platform), or the judgement that it cannot be compared, with the reason.
 */
function toComparableExchange(
  { method, url, sent, status, headers, answered }: HarExchange,
  isOfPlatform: (url: URL) => boolean,
  findCall: ReturnType<typeof createCallFinder>,
): ComparableExchange | JudgedExchange {
  const refuse = (reason: NotComparable, operation?: string): JudgedExchange => ({
    operation,
    judgement: { result: 'notComparable', reason },
  });
  if (!isOfPlatform(url)) return refuse('other host');
  const call = findCall(method, url.pathname);
  if (call === undefined) return refuse('no operation');
  if (sent === 'unknown' || answered === 'unknown') return refuse('not recorded', call.operation);
  return {
    ...call,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    sent: sent === 'none' ? undefined : sent.json,
    status,
    headers,
    body: answered === 'none' ? undefined : answered.json,
  };
}

/**
 * Creates a function which finds the kinds (types of objects) that use an operation of the platform's API, such as `GET /v9/projects`,
 * because `trueup doctor --calibrate` judges recorded answers by them. `operationsOf`: returns the operations that a kind uses.
 */
function createKindFinder(
  { kinds }: Provider,
  operationsOf: (kind: Kind) => readonly string[],
): (operation: string) => readonly Kind[] {
  const operationsByKind = kinds.map((kind) => ({ kind, operations: new Set(operationsOf(kind)) }));
  return (operation) =>
    operationsByKind.flatMap(({ kind, operations }) => (operations.has(operation) ? [kind] : []));
}

/**
 * Returns the names of members that the report of `trueup doctor --calibrate` may show, by API operation. Other names in a recording could
 * be private, such as those of variables.
 */
function findShownNames(
  { facts, shapes }: Evidence,
  kinds: readonly Kind[],
  findKindsUsing: (operation: string) => readonly Kind[],
  exchanges: readonly RecordedExchange[],
): Map<string, ReadonlySet<string>> {
  const fromSource = namesInSource(facts, kinds);
  const operations = new Set(exchanges.map(({ operation }) => operation));
  const namesFor = (operation: string): ReadonlySet<string> => {
    const kindsUsing = findKindsUsing(operation);
    const shape = shapes[operation];
    const published = shape === undefined ? [] : (namesInShape(shape) ?? []);
    return new Set([
      ...fromSource,
      ...published,
      ...kindsUsing.flatMap(membersReadBy),
      ...kindsUsing.flatMap(listsReadBy),
    ]);
  };
  return new Map([...operations].map((operation) => [operation, namesFor(operation)]));
}

/**
 * Returns the documented facts about the platform that recorded answers confirm or contradict, for the report of `trueup doctor
 * --calibrate`.
 */
function judgeFacts(evidence: Evidence, exchanges: readonly RecordedExchange[]): FactFinding[] {
  const { judge, verdicts } = createFactJudge(evidence.facts);
  for (const exchange of exchanges) judge(exchange);
  return toFactFindings(evidence, verdicts);
}
