import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ApiOptions, callOperation } from '../api/command/api-call.ts';
import { findOperation } from '../api/find-operation.ts';
import type { ApiOperation, Provider } from '../kind/provider.ts';
import { coverageOf, coverageText } from '../manual/coverage.ts';
import { requestsOf } from '../manual/kind-requests.ts';
import { raise } from '../model/diagnostic.ts';
import { closestName } from '../model/similar-name.ts';
import { jsonText } from '../report/show.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { collect, collectPair, withScope } from './options.ts';

/** Declares `trueup api`, which calls any operation of the platform's API or lists the operations. */
export function apiCommand(command: Command, provider: Provider, run: CommandRun): void {
  withScope(command)
    .argument('[operation]', 'its name (`getDeployments`), or a method followed by a path')
    .argument('[path]', 'as in the catalog: `/v9/projects/{idOrName}`, or with values filled in')
    .option('--list [group]', 'show the operations of the API, and which kinds use them')
    .option('--json', 'with --list: print one JSON document')
    .option('--project <name>', 'the project to act on, by name')
    .option('--resource <address>', 'the object to act on, by address: `projects/web/env/A`')
    .option('--param <name=value>', 'the value of a placeholder in the path; repeatable', collectPair)
    .option('--query <name=value>', 'a query parameter; repeatable', collectPair)
    .option('--header <name:value>', 'a header; repeatable', collectHeader)
    .option(
      '--field <name=value>',
      'a member of the JSON body; dots make nested members; repeatable',
      collectPair,
    )
    .option(
      '--secret-field <name=secret>',
      'a member set to a secret of the configuration; repeatable',
      collectPair,
    )
    .addOption(
      new Option('--input <file>', 'send this file as the body (`-`: standard input)').conflicts([
        'field',
        'secretField',
      ]),
    )
    .addOption(
      new Option('--paginate [member]', 'read all pages and print one list').conflicts([
        'output',
        'include',
        'input',
        'field',
        'secretField',
      ]),
    )
    .option('--output <file>', 'write the response to a file')
    .option('--include', 'also print the status and headers')
    .option('--auto-approve', 'do not ask before a write')
    .option('--ledger <place>', 'where the ledger is, for --resource')
    .action(async (first: string | undefined, second: string | undefined, options: ApiOptions) => {
      const operations = await provider.operations();
      const terminal = terminalFor(run, options);
      if (options.list !== undefined) return printOperations(provider, operations, first, options, terminal);
      if (first === undefined)
        raise('api/usage', 'no operation given', {
          hint: '`trueup api GET /v2/user`, or `trueup api --list`',
        });
      const called = findOperation([first, second], operations, closestName);
      await callOperation(provider, operations, called, options, terminal);
    });
}

/** The headers that trueup sets itself: they identify the user, or belong to the connection. */
const reservedHeaders =
  /^(authorization|host|connection|content-length|transfer-encoding|user-agent|proxy-.*)$/i;

/** Adds `NAME:VALUE` to the earlier values of `trueup api --header`. Throws for a header that is reserved or not printable ASCII. */
function collectHeader(value: string, earlier?: string[]): string[] {
  const [, name = ''] = /^([\w-]+):/.exec(value) ?? [];
  if (name === '') throw new InvalidArgumentError('It must be NAME:VALUE.');
  if (reservedHeaders.test(name)) throw new InvalidArgumentError(`${name} is set by trueup itself.`);
  if (/[^\t\x20-\x7e]/.test(value)) throw new InvalidArgumentError('A header must be printable ASCII.');
  return collect(value, earlier);
}

/** Throws `Problems` for a group that no operation of the API has, with the names of all groups. */
function requireGroup(group: string, operations: readonly ApiOperation[]): void {
  const groups = [...new Set(operations.map((operation) => operation.group))];
  if (groups.includes(group)) return;
  const nearest = closestName(group, groups);
  const suggestion = nearest === undefined ? '' : `did you mean \`${nearest}\`? `;
  raise('api/operation', `the API has no group ${JSON.stringify(group)}`, {
    hint: `${suggestion}There are ${groups.join(', ')}`,
  });
}

/**
 * Prints for `api --list` the operations of the API by group, and which kinds, actions and lookups use them. Only one group if `--list
 * GROUP` or `name`, the argument of `api`, names it. Throws `Problems` for an unknown group.
 */
async function printOperations(
  provider: Provider,
  operations: readonly ApiOperation[],
  name: string | undefined,
  { list, json }: ApiOptions,
  terminal: Terminal,
): Promise<void> {
  const group = list === true ? name : list;
  if (group !== undefined) requireGroup(group, operations);
  const listed = operations.filter((operation) => group === undefined || operation.group === group);
  const kindRequests = provider.kinds.map((kind) => ({ kind, requests: requestsOf(kind) }));
  const actionsAndLookups = await provider.actionsAndLookups();
  const coverage = coverageOf(listed, kindRequests, provider.lookups, { all: operations, actionsAndLookups });
  terminal.out(
    json
      ? jsonText({ formatVersion: '1.0', ...coverage })
      : coverageText(coverage, { style: terminal.outStyle, isNamed: true }),
  );
}
