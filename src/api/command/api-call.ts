import { findIdsByKind } from '../../action/find-subject.ts';
import { createNameFinder, createSources, loadForAccount } from '../../app/session/load-configuration.ts';
import { type AccountOptions, chooseAccount, openAccount } from '../../app/session/open-account.ts';
import type { ScopeOptions } from '../../config/choose-scope.ts';
import type { AllowOptions } from '../../config/sources/allowances.ts';
import { prepareOutputFile } from '../../files/write-files.ts';
import { fillEndpoint, formatQuery } from '../../http/endpoint.ts';
import { RequestError } from '../../http/errors.ts';
import { kindsOf } from '../../kind/define-kind.ts';
import type { ApiOperation, Connection, Owner, Provider } from '../../kind/provider.ts';
import { createOwnLedgerReader } from '../../ledger-place/settle-ledger.ts';
import { addressOf, escapeName } from '../../model/address.ts';
import { problem, raise, raiseErrors } from '../../model/diagnostic.ts';
import { createMasking } from '../../model/masking.ts';
import type { ApiCall, Endpoint } from '../../model/request.ts';
import { jsonText } from '../../report/show.ts';
import { isYes, type Terminal } from '../../terminal/terminal.ts';
import { buildCallInput, type RequestOptions, readNamedSecrets, splitPairs } from '../call-input.ts';
import { createParameterFiller, findUnfilledPlaceholders } from '../fill-parameters.ts';
import type { OperationCall } from '../find-operation.ts';
import { printResponse } from '../print-response.ts';

/** The options of `trueup api`. */
export interface ApiOptions extends AccountOptions, AllowOptions, RequestOptions, ScopeOptions {
  /** A group of operations, or true for all of them. */
  list?: string | true;
  json?: boolean;
  /** The name of a project that fills placeholders. */
  project?: string;
  /** The address of an object that fills placeholders. */
  resource?: string;
  param?: string[];
  query?: string[];
  /** The member of the response with the list, or true to find it. */
  paginate?: string | true;
  output?: string;
  include?: boolean;
  autoApprove?: boolean;
  ledger?: string;
  color?: boolean;
}

/** The values for the placeholders in the path of a call, and its query parameters. */
type CallParameters = Pick<ApiCall, 'params' | 'query'>;

/**
 * Runs `trueup api`: fills the placeholders of the path (with ids of the object of `--resource`, if there is one), asks before
 * a write, sends the call, and prints the response; with `--paginate`, the items of all pages of a list. Throws `Problems` for options that
 * do not fit, for placeholders without a value, and for a refused call.
 */
export async function callOperation(
  provider: Provider,
  operations: readonly ApiOperation[],
  called: OperationCall,
  options: ApiOptions,
  terminal: Terminal,
): Promise<void> {
  const { host } = terminal.run;
  const { operation } = called;
  // Everything that can be wrong here is found before anything is sent.
  refuseUnfittingOptions(operation, options);
  const kinds = kindsOf(provider.kinds);
  const sources = createSources(options, host, terminal);
  const configuration = await loadForAccount(kinds, options, host, sources);
  const masking = createMasking();
  const secretsContext = { kinds, host, sources, isTwin: options.twin };
  const secrets = await readNamedSecrets(options.secretField, configuration, secretsContext, masking);
  const input = buildCallInput(options, secrets, host);
  if (options.output !== undefined) await prepareOutputFile(host, options.output);
  const scope = await chooseAccount(provider, configuration, options, terminal);
  const address = addressOption(options);
  const declared = createNameFinder(configuration, kinds, address === undefined ? [] : [address]);
  const account = await openAccount(provider, scope, { ...options, declared }, terminal, masking);
  try {
    const { connection, owner } = account;
    const readLedger = createOwnLedgerReader(options, { configuration, sources }, terminal);
    const context = { connection, owner, kinds, readLedger };
    const ids = address ? await findIdsByKind(address, context) : new Map<string, string>();
    const implied = createParameterFiller(kinds, operations)(operation, ids);
    const parameters = mergeParameters(called, implied, owner, options);
    refuseUnfilledPath(operation, parameters);
    if (options.paginate !== undefined) {
      const items = await readAllItems(connection, operation, parameters, options.paginate);
      return terminal.out(masking.mask(jsonText(items)));
    }
    if (!isReadOperation(operation) && !(await confirmCall(operation, parameters, options, terminal))) return;
    const { method, path } = operation as { method: ApiCall['method']; path: string };
    const response = await connection.call({ method, path, ...parameters, ...input }).catch(adviseOnRefusal);
    await printResponse(response, options, masking, terminal);
  } finally {
    await account.close();
  }
}

/** True for an operation that changes nothing, so that it needs no confirmation. */
const isReadOperation = ({ method }: ApiOperation): boolean => method === 'GET' || method === 'HEAD';

/** Returns the address that `--resource` or `--project` names; undefined if there is neither. */
const addressOption = ({ resource, project }: ApiOptions) =>
  resource ?? (project && addressOf(undefined, 'projects', [escapeName(project)]));

/**
 * Merges the parameters of a call from all places where they can come from. For the path, `--param` wins over the words of the command,
 * the object of `--resource` and the account. A query parameter that the object implies is left out if the user sets it.
 */
function mergeParameters(
  called: OperationCall,
  implied: { params: Record<string, string>; query: Record<string, string> },
  { type, id, slug }: Owner,
  options: ApiOptions,
): CallParameters {
  const accountParams: Record<string, string> = type === 'team' ? { teamId: id, teamSlug: slug } : {};
  const optionParams = Object.fromEntries(splitPairs(options.param));
  const userQuery = [...called.query, ...splitPairs(options.query)];
  const userNames = new Set(userQuery.map(([name]) => name));
  const impliedQuery = Object.entries(implied.query).filter(([name]) => !userNames.has(name));
  return {
    params: { ...accountParams, ...implied.params, ...called.params, ...optionParams },
    query: [...impliedQuery, ...userQuery],
  };
}

/** Throws a refusal of the platform again for `trueup api`, with the advice to correct the call unless it has other advice. */
function adviseOnRefusal(error: unknown): never {
  if (!(error instanceof RequestError) || error.hint !== undefined) throw error;
  raise(error.code, error.message, { hint: 'fix the call and send it again' });
}

/** Throws `Problems` if options of `trueup api` do not fit its operation: a body for a read, or `--paginate` with anything but a GET. */
function refuseUnfittingOptions(operation: ApiOperation, options: ApiOptions): void {
  const { method, path } = operation;
  const hasBody = options.field || options.secretField || options.input !== undefined;
  if (isReadOperation(operation) && hasBody)
    raise('api/usage', `${method} ${path} takes no body`, {
      hint: 'write query parameters as --query NAME=VALUE',
    });
  if (method !== 'GET' && options.paginate !== undefined)
    raise('api/usage', `--paginate is for lists, and ${method} ${path} does not return one`);
}

/**
 * Throws `Problems` before `trueup api` sends a call, if a placeholder of its path has no value, or a value that does not fit into a path.
 */
function refuseUnfilledPath(operation: ApiOperation, { params }: CallParameters): void {
  const { method, path } = operation;
  const problems = findUnfilledPlaceholders(operation, params).map((name) =>
    problem('api/placeholder', `no value for {${name}} in ${method} ${path}`, {
      hint: `set it with --param ${name}=VALUE, or use --project or --resource`,
    }),
  );
  raiseErrors(problems);
  try {
    fillEndpoint(`${method} ${path}` as Endpoint, params);
  } catch (error) {
    raise('api/placeholder', (error as Error).message);
  }
}

/** Asks whether `trueup api` should send a write, unless `--auto-approve` is set. Throws `Problems` if there is no terminal to ask at. */
async function confirmCall(
  operation: ApiOperation,
  parameters: CallParameters,
  { autoApprove }: ApiOptions,
  terminal: Terminal,
): Promise<boolean> {
  if (autoApprove) return true;
  const { method, shown } = fillEndpoint(endpointOf(operation, parameters), parameters.params);
  return isYes(terminal, {
    question: `${method} ${shown}\nSend this?`,
    no: 'Nothing was sent.',
    unattended: problem(
      'cli/unattended',
      `a write needs a terminal or --auto-approve; ${method} ${shown} was not sent`,
      { hint: 'pass --auto-approve if this has already been approved' },
    ),
  });
}

/** Returns the method and the path of an operation with its query: `GET /v9/projects/{idOrName}?limit=10`. */
const endpointOf = ({ method, path }: ApiOperation, { query }: CallParameters): Endpoint => {
  const search = formatQuery(query);
  return `${method} ${path}${search && `?${search}`}` as Endpoint;
};

/**
 * Reads all pages of a list for `trueup api --paginate`. `member`: the member of the response with the list, or true to use its only list.
 */
async function readAllItems(
  { send }: Pick<Connection, 'send'>,
  operation: ApiOperation,
  parameters: CallParameters,
  member: string | true,
): Promise<unknown> {
  const { params } = parameters;
  const endpoint = endpointOf(operation, parameters);
  const items = member === true ? listMemberOf(await send({ endpoint, params }), endpoint) : member;
  return send({ endpoint, params, items });
}

/**
 * Returns the member of a response that contains the list, for `trueup api --paginate` without the name of one; empty if the response
 * itself is the list. Throws `Problems` if there is no list, or more than one.
 */
function listMemberOf(response: unknown, endpoint: string): string {
  if (Array.isArray(response)) return '';
  const lists = Object.entries(response ?? {}).flatMap(([name, value]) =>
    Array.isArray(value) ? [name] : [],
  );
  if (lists.length === 1) return lists[0]!;
  const hasNone = lists.length === 0;
  raise(
    'api/paginate',
    `the response to ${endpoint} has ${hasNone ? 'no list' : `the lists ${lists.join(', ')}`}`,
    { hint: hasNone ? 'call it without --paginate' : `name one: --paginate ${lists[0]}` },
  );
}
