import type { Command } from 'commander';
import { createPlanOptions } from '../app/planning/plan-options.ts';
import { loadForRun, openSession } from '../app/session/session.ts';
import type { StackOptions } from '../app/stack-options.ts';
import { openHistory } from '../app/undoing/open-history.ts';
import { type FieldOrigin, findFieldOrigins, formatFieldOrigins, type LiveField } from '../history/blame.ts';
import { holdsSecretOfRun, secretFinderOf } from '../kind/disclosure.ts';
import { comparedFields, leavesOf } from '../kind/leaves.ts';
import type { Provider } from '../kind/provider.ts';
import type { Address } from '../model/address.ts';
import { globOf } from '../model/address.ts';
import { Problems } from '../model/diagnostic.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { Value } from '../model/value.ts';
import { cleanLine } from '../report/clean.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { jsonText, jsonValue } from '../report/json-value.ts';
import { openPlan, type Planned } from '../run/open-plan.ts';
import type { CommandRun } from './command-run.ts';
import { problemsCode } from './exit-codes.ts';
import { sayDoubts } from './log.ts';
import { withAccount } from './options.ts';
import { terminalFor } from './terminal.ts';

interface BlameOptions extends StackOptions {
  json?: boolean;
}

export function blameCommand(command: Command, provider: Provider, run: CommandRun): void {
  withAccount(command)
    .argument(
      '<address>',
      'a resource, such as `projects/web`; a variable without a target means all its targets',
    )
    .option('--json', 'as JSON')
    .action(async (address: string, options: BlameOptions) => {
      const terminal = terminalFor(run, options);
      const { host } = run;
      const loaded = await loadForRun(provider, options, terminal);
      const { stack } = loaded.configuration.desired;
      const history = await openHistory(stack, options, host);
      sayDoubts(history, terminal);
      const isRead =
        options.twin || options.tokenFile !== undefined || Boolean(host.env.TRUEUP_TOKEN?.trim());
      if (!isRead)
        terminal.say(
          'No token, so the account was not read: these are the values that runs set, which may have changed since.',
        );
      const rows: FieldOrigin[] = [];
      const recorded = history.records.flatMap(
        ({ details }) => details?.changes.map((change) => change.address) ?? [],
      );
      const addresses = new Set(recorded);
      if (isRead) {
        const session = await openSession(provider, options, terminal, { loaded });
        try {
          const targets = { targets: [globOf(address)], toleratesMissing: 'undo' as const };
          const planned = await openPlan(session, { ...createPlanOptions(options, host), ...targets });
          const unread = planned.plan.diagnostics.filter(({ code }) => code === 'observe/incomplete');
          terminal.say(diagnosticsText(unread, { style: terminal.errStyle }));
          run.exitCode = problemsCode(unread);
          for (const owned of ownedAddresses(planned)) addresses.add(owned);
          for (const [one, fields] of found(planned, address))
            rows.push(
              ...findFieldOrigins(one, history.records, fields, whoOf(planned, one)).map((row) =>
                holdsSecretOfRun(row.value as Value, secretFinderOf(session))
                  ? { ...row, value: '(secret)' }
                  : row,
              ),
            );
        } finally {
          await session.close();
        }
      } else {
        for (const one of addresses)
          if (isMeant(one, address)) rows.push(...findFieldOrigins(one, history.records, undefined));
      }
      if (rows.length === 0 && ![...addresses].some((known) => isMeant(known, address)))
        throw new Problems(
          'blame/unknown',
          `unknown address ${address}: it is neither in the history nor in this stack`,
          {
            hint: '`trueup ledger list` shows what this stack owns',
          },
        );
      if (options.json) terminal.out(jsonText({ formatVersion: '1.0', stack, fields: rows }));
      else if (rows.length > 0) terminal.out(formatFieldOrigins(rows, terminal.outStyle));
      else terminal.out(cleanLine(`${address} has no fields that a run or somebody else has set.`));
    });
}

const isMeant = (address: Address, asked: Address): boolean =>
  address === asked || addressWithoutTarget(address) === asked;

/** Returns the addresses of the objects that a stack owns or declares, or that were read for it. */
const ownedAddresses = ({ live, ledger, desired }: Planned): Address[] => [
  ...live.resources.keys(),
  ...Object.keys(ledger.entries),
  ...desired.resources.keys(),
];

/** The objects at an address, with their fields as they are now. */
function found({ live, plan, input, ledger }: Planned, asked: Address): [Address, LiveField[]][] {
  return [...live.resources.values()].flatMap(({ address, kind: name, fields }): [Address, LiveField[]][] => {
    if (!isMeant(address, asked)) return [];
    const kind = input.kinds.get(name)!;
    const change = plan.changes.find((change) => change.address === address);
    const entry = ledger.entries[address];
    return [
      [
        address,
        leavesOf(comparedFields(kind), fields).flatMap(({ path, value, isSecret }) => {
          const field = change?.fields.find((field) => field.path === path);
          const isDeclared = entry?.fields[path] !== undefined || entry?.secrets[path] !== undefined;
          // What was never set, and is nothing, is nobody's; what it is called and where it stands is in its address.
          const isNothing = value === null || value === '';
          if (
            (!isDeclared && isNothing) ||
            kind.key.includes(path) ||
            kind.shape.addressFields.includes(path)
          )
            return [];
          const isChanged = field?.cause === 'drift' || field?.cause === 'conflict';
          return [{ path, value: isSecret ? '(secret)' : jsonValue(value), isChanged, isDeclared }];
        }),
      ],
    ];
  });
}

/** The person who changed it outside, if the platform told. */
const whoOf = ({ plan }: Planned, address: Address): string | undefined =>
  plan.changedBy?.find((driftSource) => driftSource.address === address)?.who;
