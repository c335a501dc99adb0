import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { readTokenFile } from '../app/session/open-account.ts';
import { type Host, listenToSignals, resolvePath } from '../host.ts';
import type { Provider } from '../kind/provider.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { jsonText } from '../report/show.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { number, withColor } from './options.ts';

interface TwinCommandOptions {
  port?: number;
  token?: string | true;
  tokenFile?: string;
  logText?: boolean;
  seed?: string;
  state?: string;
  latency?: number;
  rateLimits: 'real' | 'assumed' | 'off';
  pageSize?: number;
  faults?: string;
  lenient?: boolean;
  openapi?: boolean;
  color?: boolean;
}

/** Declares `trueup twin`, which serves the twin, a local copy of the platform's API, for tests and for trying things out. */
export function twinCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .option('--port <n>', 'the port (default: any free one)', number(0))
    .option('--token-file <path>', 'accept only the token in this file (default: any)')
    .addOption(new Option('--token [token]').hideHelp())
    .option('--log-text', 'log request contents, including secrets')
    .option('--seed <file>', 'the initial account as JSON, or a file saved by --state')
    .option('--state <file>', 'persist the account in this file')
    .option('--latency <ms>', 'delay each response', number(0))
    .addOption(
      new Option(
        '--rate-limits <mode>',
        'its rate limits: those that the platform documents, or strict guesses as well (`assumed`)',
      )
        .choices(['real', 'assumed', 'off'])
        .default('off'),
    )
    .option('--page-size <n>', 'the maximum page size of lists', number(1))
    .option('--lenient', 'record members that the platform does not know, instead of refusing them')
    .option('--faults <file>', 'a JSON file that lists the faults to cause, and when')
    .addOption(
      new Option('--openapi', 'print the OpenAPI document of the twin and exit').conflicts([
        'port',
        'token',
        'tokenFile',
        'logText',
        'seed',
        'state',
        'latency',
        'rateLimits',
        'pageSize',
        'faults',
        'lenient',
      ]),
    )
    .action((options: TwinCommandOptions) => serveTwin(provider, options, run));
}

/**
 * Runs `trueup twin`: serves the twin (a local copy of the platform) until a signal ends it, or prints its OpenAPI document. Throws `Problems`
 * for a token in the arguments.
 */
async function serveTwin(provider: Provider, options: TwinCommandOptions, run: CommandRun): Promise<void> {
  const { port, token, tokenFile, seed, state, latency, rateLimits, pageSize, faults } = options;
  if (token !== undefined) raise(tokenInArgumentsProblem());
  const { host } = run;
  const terminal = terminalFor(run, options);
  if (options.openapi) return terminal.out(jsonText(await provider.openApi()));
  const twin = await provider.startTwin({
    rateLimits,
    port,
    token: tokenFile === undefined ? undefined : await readTokenFile(tokenFile, host),
    logText: options.logText ? true : undefined,
    lenient: options.lenient ? true : undefined,
    seed: seed === undefined ? undefined : await readTwinInput('the seed', seed, host),
    statePath: state === undefined ? undefined : resolvePath(host, state),
    latencyMs: latency,
    pageSize,
    faults: faults === undefined ? undefined : await readTwinInput('the fault plan', faults, host),
  });
  const stopped = new Promise<void>((done) => {
    const stopListening = listenToSignals(host, () => {
      stopListening();
      done(twin.close());
    });
  });
  terminal.say(`OpenAPI document: ${twin.openApiUrl}`);
  // The address comes last, because a program that waits for it may stop the twin at once.
  terminal.out(twin.url);
  await stopped;
}

/** Returns the problem with `--token`: every process of the machine can read the arguments of the others. */
const tokenInArgumentsProblem = () =>
  problem('twin/token', 'a token must not be passed as an argument, where every process can read it', {
    hint: 'put it in a file that only you can read and pass --token-file; without it any token is accepted',
  });

/**
 * Reads a JSON file for the twin (a local copy of the platform): its first account, or the faults that it causes. `description`: the
 * content for people, for the `Problems` that it throws if the file cannot be read.
 */
async function readTwinInput(description: string, path: string, host: Host): Promise<unknown> {
  try {
    return JSON.parse(await readFile(resolvePath(host, path), 'utf8'));
  } catch (error) {
    raise('twin/input', `${description} ${path} cannot be read: ${describeSystemError(error as Error)}`);
  }
}
