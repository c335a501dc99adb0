import { createParameterFiller, findUnfilledPlaceholders } from '../api/fill-parameters.ts';
import type { OperationCall } from '../api/find-operation.ts';
import { findIdsByKind } from '../app/actions/find-lineage.ts';
import { prepareOutputFile } from '../app/output-file.ts';
import { loadForAccount } from '../app/session/load-configuration.ts';
import { type AccountOptions, chooseScope, openAccount } from '../app/session/open-account.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import type { ScopeOptions } from '../app/stack-options.ts';
import { resolveSecrets } from '../config/resolve-secrets.ts';
import type { AllowOptions } from '../config/sources/allowances.ts';
import { createStandIns } from '../config/stand-ins.ts';
import { fillEndpoint, formatQuery } from '../http/endpoint.ts';
import { RequestError } from '../http/errors.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { ApiOperation, Connection, Owner, Provider } from '../kind/provider.ts';
import { addressOf, escapeName } from '../model/address.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { createMasking } from '../model/masking.ts';
import type { ApiCall, Endpoint } from '../model/request.ts';
import { jsonText } from '../report/json-value.ts';
import { printAnswer } from './api-answer.ts';
import { buildCallInput, type RequestOptions, resolveNamedSecrets, splitPairs } from './api-request.ts';
import { isYes, type Terminal } from './terminal.ts';

/** The values for the placeholders of a call, and its query. */
type CallFilling = Pick<ApiCall, 'params' | 'query'>;

/** Makes one call: finds what it is about, asks before a write, and prints the answer. Throws `Problems`. */
export async function callOperation(
  provider: Provider,
  operations: readonly ApiOperation[],
  called: OperationCall,
  options: ApiOptions,
  terminal: Terminal,
): Promise<void> {
  const { host } = terminal.run;
  const { operation } = called;
  const isRead = operation.method === 'GET' || operation.method === 'HEAD';
  refuseOddCall(isRead, operation, options);
  const kinds = kindsOf(provider.kinds);
  const sources = sourcesFor(options, host, terminal);
  const configuration = await loadForAccount(kinds, options, host, sources);
  const masking = createMasking();
  const { cwd, env } = host;
  const secrets = await resolveNamedSecrets(configuration, options, (declared) =>
    options.twin ? createStandIns(declared, kinds) : resolveSecrets(declared, { env, cwd, sources }),
  );
  for (const secret of secrets.values()) masking.know(secret);
  // All that can be wrong with it is told before anything is sent.
  const sent = buildCallInput(options, secrets, host);
  if (options.output !== undefined) await prepareOutputFile(host, options.output);
  const account = await openAccount(
    provider,
    chooseScope(configuration, options),
    options,
    terminal,
    masking,
  );
  try {
    const { connection, owner } = account;
    const address =
      options.resource ??
      (options.project && addressOf(undefined, 'projects', [escapeName(options.project)]));
    const about = { connection, owner, kinds, configuration, options, host };
    const ids = address ? await findIdsByKind(address, about) : new Map<string, string>();
    const places = createParameterFiller(kinds, operations)(operation, ids);
    const named = Object.fromEntries(splitPairs(options.param));
    const asked = [...called.query, ...splitPairs(options.query)];
    const implied = Object.entries(places.query).filter(([name]) => asked.every(([other]) => other !== name));
    const filling: CallFilling = {
      params: { ...ownNames(owner), ...places.params, ...called.params, ...named },
      query: [...implied, ...asked],
    };
    refuseUnfilled(operation, filling);
    if (options.paginate !== undefined) {
      const all = await allItems(connection, operation, filling, options.paginate);
      terminal.out(masking.mask(jsonText(all)));
    } else if (isRead || (await confirmCall(operation, filling, options, terminal))) {
      const { method, path } = operation as { method: ApiCall['method']; path: string };
      const answered = await connection.call({ method, path, ...filling, ...sent }).catch(toRefusedCall);
      await printAnswer(answered, options, masking, terminal);
    }
  } finally {
    await account.close();
  }
}

/** Turns a refusal of a call that somebody wrote into a problem for them to correct. */
function toRefusedCall(error: unknown): never {
  if (!(error instanceof RequestError) || error.hint !== undefined) throw error;
  throw new Problems(error.code, error.message, { hint: 'fix the call and send it again' });
}

/** Placeholders that the account itself fills. */
const ownNames = ({ type, id, slug }: Owner): Record<string, string> =>
  type === 'team' ? { teamId: id, teamSlug: slug } : {};

function refuseOddCall(isRead: boolean, { method, path }: ApiOperation, options: ApiOptions): void {
  if (isRead && (options.field || options.secretField || options.input !== undefined))
    throw new Problems('api/usage', `${method} ${path} takes no body`, {
      hint: 'write query parameters as --query NAME=VALUE',
    });
  if (method !== 'GET' && options.paginate !== undefined)
    throw new Problems('api/usage', `--paginate is for lists, and ${method} ${path} does not return one`);
}

function refuseUnfilled(operation: ApiOperation, { params }: CallFilling): void {
  const { method, path } = operation;
  const wrong = findUnfilledPlaceholders(operation, params).map((name) =>
    problem('api/placeholder', `no value for {${name}} in ${method} ${path}`, {
      hint: `set it with --param ${name}=VALUE, or use --project or --resource`,
    }),
  );
  if (wrong.length > 0) throw new Problems(wrong);
  try {
    fillEndpoint(`${method} ${path}` as Endpoint, params);
  } catch (error) {
    throw new Problems('api/placeholder', (error as Error).message);
  }
}

async function confirmCall(
  operation: ApiOperation,
  filling: CallFilling,
  { autoApprove }: ApiOptions,
  terminal: Terminal,
): Promise<boolean> {
  if (autoApprove) return true;
  const { method, shown } = fillEndpoint(endpointOf(operation, filling), filling.params);
  return isYes(terminal, {
    question: `${method} ${shown}\nSend this?`,
    no: 'Nothing was sent.',
    unattended: problem(
      'cli/unattended',
      `a write needs a terminal or --auto-approve; ${method} ${shown} was not sent`,
      {
        hint: 'pass --auto-approve if this has already been approved',
      },
    ),
  });
}

/** An operation with its query. */
const endpointOf = ({ method, path }: ApiOperation, { query }: CallFilling): Endpoint => {
  const search = formatQuery(query);
  return `${method} ${path}${search && `?${search}`}` as Endpoint;
};

/** All items of a list, of whatever pages. The member that holds them is the only list in the first answer, if nobody names it. */
async function allItems(
  { send }: Pick<Connection, 'send'>,
  operation: ApiOperation,
  filling: CallFilling,
  member: string | true,
): Promise<unknown> {
  const { params } = filling;
  const endpoint = endpointOf(operation, filling);
  const items = member === true ? listMemberOf(await send({ endpoint, params }), endpoint) : member;
  return send({ endpoint, params, items });
}

function listMemberOf(answer: unknown, endpoint: string): string {
  if (Array.isArray(answer)) return '';
  const lists = Object.entries(answer ?? {}).flatMap(([name, value]) => (Array.isArray(value) ? [name] : []));
  if (lists.length === 1) return lists[0]!;
  throw new Problems(
    'api/paginate',
    `the response to ${endpoint} has ${lists.length === 0 ? 'no list' : `the lists ${lists.join(', ')}`}`,
    {
      hint: lists.length === 0 ? 'call it without --paginate' : `name one: --paginate ${lists[0]}`,
    },
  );
}

export interface ApiOptions extends AccountOptions, AllowOptions, RequestOptions, ScopeOptions {
  list?: string | true;
  json?: boolean;
  project?: string;
  resource?: string;
  param?: string[];
  query?: string[];
  paginate?: string | true;
  output?: string;
  include?: boolean;
  autoApprove?: boolean;
  ledger?: string;
  color?: boolean;
}
