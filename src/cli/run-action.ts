import { randomUUID } from 'node:crypto';
import { composeRequest } from '../action/compose-request.ts';
import { memberOf, openFields, type Row } from '../action/rows.ts';
import { checkedInput, typedInput } from '../action/typed-input.ts';
import { resolveSecrets } from '../config/resolve-secrets.ts';
import { standIns } from '../config/stand-ins.ts';
import { quoted } from '../config/suggest.ts';
import type { Action, Sending } from '../kind/action.ts';
import type { ApiObject } from '../kind/kind.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { canonical } from '../model/digest.ts';
import type { Request } from '../model/plan.ts';
import { revealed } from '../model/sealed.ts';
import { agreedTo } from './agree-to-action.ts';
import { pairsOf, secretsFor } from './api-request.ts';
import { awaitAction } from './await-action.ts';
import { sourcesFor } from './load-configuration.ts';
import { type About, aboutOf, formOf, queryOf } from './open-reading.ts';
import { printAnswer } from './print-action.ts';
import type { RunOptions } from './run.ts';
import { type Ground, openGround } from './run-ground.ts';
import { deliveryOf } from './secret-of-action.ts';
import { sendAction } from './send-action.ts';
import type { Terminal } from './terminal.ts';

/** An action that somebody asked for. */
interface Asked {
  action: Action;
  address: string | undefined;
  lookups: ReadonlyMap<string, Lookup>;
}

/** Runs one action: finds what it is about, shows the request, asks, sends it once, and tells what came of it. Throws `Problems`. */
export async function runAction(
  provider: Provider,
  { action, address, lookups }: Asked,
  options: RunOptions,
  terminal: Terminal,
): Promise<void> {
  refuseOdd(action, options);
  const words = pairsOf(options.input);
  // What is wrong with the words is told before anything is opened.
  const { about: named, asked } = withoutAbout(action, address, words);
  const secret = pairsOf(options.secretInput);
  const typed = typedInput(
    asked,
    without(
      action.input,
      secret.map(([name]) => name),
    ),
    taking(action),
  );
  const ground = await openGround(provider, options, terminal);
  let done: { sending: Sending; answer: ApiObject } | undefined;
  try {
    const input = { ...typed, ...(await secretInput(action, secret, ground, options, terminal)) };
    const about = await aboutFor(action, named, ground);
    const ids = about?.ids ?? new Map<string, string>();
    const given = { input, ids, mark: randomUUID() };
    const request = await requestFor(action, given, ground);
    if ('nothing' in request) return terminal.err(`Nothing to do: ${request.nothing}.`);
    const delivery = await deliveryOf(action, request.request, about, options, ground, terminal);
    await ground.judge(action, about, request.request);
    if (!(await agreedTo(action, request.request, about, options, ground, terminal))) return;
    const answer = await ground.recorded(action, about, async () => {
      if (action.finds) refuseOther(action, request.request, await requestFor(action, given, ground));
      const { mark } = given;
      return sendAction(action, request.request, { ground, lookups, ids, mark, say: terminal.err });
    });
    done = { sending: request.sending, answer };
    const row = rowOf(action, answer);
    await delivery?.deliver(answer);
    printAnswer(action, about, row, options, ground.masking, terminal);
    if (options.wait) await awaitAction(action, { ...done, ids, lookups }, options, ground, terminal);
  } finally {
    await ground.close();
  }
}

const taking = ({ name }: Action) => ({ what: name, flag: '--input' });

const rowOf = ({ output, item }: Action, answer: ApiObject): Row =>
  openFields((memberOf(answer, item) ?? {}) as Input, output);

function without<T>(all: Record<string, T>, names: string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}

/** What an action is about stands as its address, or as an input of the kind's name. */
function withoutAbout({ name, on }: Action, address: string | undefined, words: [string, string][]) {
  const given = words.filter(([field]) => field === on).map(([, value]) => value);
  const all = [...(address === undefined ? [] : [address]), ...given];
  if (all.length > 1)
    throw new Problems([problem('asked/about', `${name} is about one ${on}, and two are named`)]);
  if (address !== undefined && on === undefined)
    throw new Problems([
      problem('asked/about', `${name} is about the account, and takes no address`, {
        hint: 'what it takes is given with --input',
      }),
    ]);
  return { about: all[0], asked: words.filter(([field]) => field !== on) };
}

async function aboutFor(
  { name, on }: Action,
  named: string | undefined,
  { kinds, around }: Ground,
): Promise<About | undefined> {
  if (on === undefined) return undefined;
  if (named !== undefined) return aboutOf(named, on, around);
  throw new Problems([
    problem('asked/missing', `${name} is about a ${on}, and none is named`, {
      hint: `name it: \`trueup run ${name} ${formOf(on, kinds)}\``,
    }),
  ]);
}

/** Inputs that are secrets of the configuration. Where the action does not expect one, it is no secret there, and would be shown. */
async function secretInput(
  action: Action,
  words: [string, string][],
  { configuration, kinds, masking }: Ground,
  options: RunOptions,
  terminal: Terminal,
): Promise<Input> {
  if (words.length === 0) return {};
  const { host } = terminal.run;
  const { cwd, env } = host;
  const sources = sourcesFor(options, host, terminal);
  const secrets = await secretsFor(
    configuration,
    { secretField: words.map((pair) => pair.join('=')) },
    (declared) =>
      options.twin ? standIns(declared, kinds) : resolveSecrets(declared, { env, cwd, sources }),
  );
  for (const one of secrets.values()) masking.know(one);
  const raw = Object.fromEntries([...secrets].map(([name, value]) => [name, value.reveal()]));
  const unknown = Object.keys(raw).filter((name) => !Object.hasOwn(action.input, name));
  if (unknown.length > 0)
    throw new Problems(
      unknown.map((name) => problem('asked/unknown', `${action.name} takes no ${quoted(name)}`)),
    );
  checkedInput(
    raw,
    Object.fromEntries(Object.keys(raw).map((name) => [name, action.input[name]!])),
    taking(action),
  );
  return Object.fromEntries(secrets);
}

/** The request, with what it takes from the account as it is now; or why there is nothing to do. */
async function requestFor(
  action: Action,
  { input, ids, mark }: { input: Input; ids: ReadonlyMap<string, string>; mark: string },
  { connection, operations }: Ground,
): Promise<{ request: Request; sending: Sending } | { nothing: string }> {
  const { name, endpoint, finds, body } = action;
  let found: Input = {};
  if (finds) {
    const look = composeRequest(finds.endpoint, { what: name, ids, input, query: [] }, () => undefined);
    const seen = finds.take((await connection.send(look)) as ApiObject, input);
    if ('nothing' in seen) return seen;
    found = seen.values;
  }
  const sending = { input, ids: Object.fromEntries(ids), found, mark };
  const filling = { what: name, ids, found, input, query: queryOf(endpoint, operations) };
  return { request: composeRequest(endpoint, filling, body && (() => body(sending))), sending };
}

/** While a person thought, the account may have changed: what is sent is what was shown. */
function refuseOther(
  { name }: Action,
  shown: Request,
  now: { request: Request } | { nothing: string },
): void {
  if (!('nothing' in now) && canonical(revealed(now.request)) === canonical(revealed(shown))) return;
  throw new Problems([
    problem('run/changed', `what ${name} was shown with has changed meanwhile; nothing was sent`, {
      hint: 'run it again to see the request as it is now',
    }),
  ]);
}

function refuseOdd({ name, until }: Action, { wait }: RunOptions): void {
  if (wait && !until)
    throw new Problems([
      problem('run/no-wait', `${name} is done when it is answered: there is nothing to wait for`, {
        hint: 'leave out --wait',
      }),
    ]);
}
