import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { driftCount } from '../model/drift.ts';
import type { Plan } from '../model/plan.ts';
import { planExitCode } from './exit-code.ts';
import { flagOf } from './flag-of.ts';
import { type Format, formatOption, streamOption } from './formats.ts';
import { ephemeral } from './ledger-place.ts';
import { makeKey } from './make-key.ts';
import { type PlanningOptions, withPlanning } from './options.ts';
import { refuseOtherFile, writePlanFile } from './plan-file.ts';
import { planSession } from './plan-session.ts';
import { saveSessionPlan, uncompared } from './save-session-plan.ts';
import { openSession, type Session } from './session.ts';
import { showPlan } from './show-plan.ts';
import { terminalFor } from './terminal.ts';

interface Options extends PlanningOptions {
  format?: Format;
  json?: boolean;
  jsonStream?: boolean;
  detailedExitcode?: boolean;
  driftExitcode?: boolean;
  out?: string;
}

export function planCommand(command: Command, provider: Provider): void {
  withPlanning(command)
    .addOption(formatOption())
    .option('--json', 'the same as --format json')
    .addOption(streamOption())
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .option(
      '--drift-exitcode',
      'exit with 2 if the account was changed outside, whatever the configuration says',
    )
    .option('--out <file>', 'save the plan, for `trueup apply FILE`')
    .action(async (options: Options) => {
      const terminal = terminalFor(options);
      if (options.out !== undefined) await refuseOtherFile(options.out);
      const session = await openSession(provider, options, terminal);
      try {
        if (options.out !== undefined) session.key ??= await keyToApprove(session);
        const unkept = ephemeral(options);
        if (unkept) session.diagnostics.push({ ...unkept, severity: 'warning' });
        const { plan } = await planSession(session, options);
        // Before it is shown: of what cannot be saved only the error is told, not a plan and then an error.
        const said = options.out === undefined ? [] : await save(session, plan, options.out, options);
        const fine = showPlan(plan, options, terminal, provider.pace);
        for (const line of said) terminal.err(line);
        if (options.driftExitcode) terminal.err(driftText(plan));
        process.exitCode = planExitCode(plan, {
          fine,
          detailed: options.detailedExitcode,
          drift: options.driftExitcode,
        });
      } finally {
        await session.close();
      }
    });
}

/** Secrets are approved by their digests, so an approval takes the key; in CI it has to be given. */
const keyToApprove = ({ keyPath }: Session) => (process.env.CI ? undefined : makeKey(keyPath));

function driftText(plan: Plan): string {
  const drifted = driftCount(plan);
  const what = drifted === 0 ? 'Nothing was' : drifted === 1 ? '1 object was' : `${drifted} objects were`;
  return `${what} changed outside since the last apply.`;
}

/** Saves it, unless it cannot be approved; gives what there is to say about that. */
async function save(session: Session, plan: Plan, path: string, options: PlanningOptions): Promise<string[]> {
  if (hasErrors(plan.diagnostics)) return [`${path} was not written: a plan with errors cannot be approved.`];
  const saved = saveSessionPlan(session, plan, options);
  await writePlanFile(path, saved);
  const repeat = (['file', 'var', 'varFile', 'ledger', 'twin', 'baseUrl', 'tokenFile'] as const).filter(
    (name) => options[name] !== undefined,
  );
  const same = repeat.length > 0 ? `, with the same ${repeat.map(flagOf).join(', ')}` : '';
  const done = `Saved to ${path}. \`trueup show ${path}\` shows it, \`trueup apply ${path}\` carries it out${same}.`;
  const addresses = uncompared(saved);
  if (addresses.length === 0) return [done];
  return [
    done,
    `It cannot be applied as it is, since a secret was not compared: ${addresses.join(', ')}. It takes the secret itself${session.key ? '' : ' and TRUEUP_LEDGER_KEY'}.`,
  ];
}
