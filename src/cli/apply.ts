import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { isVerified } from '../ledger/proof.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { holesIn } from '../model/value.ts';
import { jsonText } from '../report/json-value.ts';
import { planJson } from '../report/plan-json.ts';
import { nothingLines } from '../report/terraform/apply-lines.ts';
import { applyPlan } from './apply-plan.ts';
import { exitCode } from './exit-code.ts';
import { streamOption } from './formats.ts';
import type { Run } from './host.ts';
import { ledgerLine } from './ledger-line.ts';
import { refuseEphemeral } from './ledger-place.ts';
import { type PlanningOptions, type WritingOptions, withWriting } from './options.ts';
import { approvedPlan, planAsApproved } from './plan-as-approved.ts';
import { isEmpty, type Planned, planSession, planSettled } from './plan-session.ts';
import { recordSources } from './record-sources.ts';
import { lockSession, openSession, requireWritable, type Session } from './session.ts';
import { showPlan } from './show-plan.ts';
import { type Terminal, terminalFor } from './terminal.ts';
import { verify } from './verify.ts';

export interface ApplyCommandOptions extends WritingOptions {
  autoApprove?: boolean;
  jsonStream?: boolean;
}

export function applyCommand(command: Command, provider: Provider, run: Run): void {
  withWriting(command)
    .argument('[file]', 'a plan that `plan --out` saved: it is done without asking, if it still is the plan')
    .option('--auto-approve', 'do not ask')
    .addOption(streamOption())
    .action(async (file: string | undefined, given: ApplyCommandOptions) => {
      const terminal = terminalFor(run, given);
      const approved = file === undefined ? undefined : await approvedPlan(file, given, run.host);
      const options = { ...given, ...approved?.options };
      refuseEphemeral(options, run.host);
      const plans = file === undefined ? [] : [file];
      const session = await openSession(provider, options, terminal, { plans, writes: true });
      try {
        requireWritable(session, options);
        // Before anything is planned; but nobody else waits while a person thinks.
        if (approved || options.autoApprove) await lockSession(session, options, terminal);
        const planned = approved
          ? await planAsApproved(session, file!, approved, options)
          : await planSettled(session, options, { unattended: options.autoApprove ?? false });
        terminal.err(ledgerLine(session.store, session.ledger, run.host.clock.now()));
        const fine = showPlan(planned.plan, options, terminal, provider.pace);
        if (!fine) run.exitCode = 1;
        else if (!isEmpty(planned.plan)) {
          refuseWithoutSecrets(session, planned);
          if (!approved && !(await agreed(options, terminal))) return;
          if (!approved && !options.autoApprove) await lockSession(session, options, terminal);
          const current =
            approved || options.autoApprove ? planned : await unchanged(session, planned, options);
          await carryOut(session, current, options, terminal);
        } else {
          terminal.stream?.(nothingLines(planned.plan));
          await recordSources(session, planned, options, terminal);
          await signAnew(session, options, terminal);
        }
      } finally {
        await session.close();
      }
    });
}

/** So that the previous key can go after one apply, be there anything else to do or not. */
async function signAnew(session: Session, options: WritingOptions, terminal: Terminal): Promise<void> {
  const isPrevious = () => {
    const proof = session.store.proof();
    return proof !== undefined && isVerified(proof) && proof.previous === true;
  };
  if (!isPrevious()) return;
  if (!session.lease) await lockSession(session, options, terminal);
  if (!isPrevious()) return;
  await session.lease!.confirm();
  session.ledger = await session.store.write(session.ledger);
  await session.store.close();
  terminal.out(ledgerLine(session.store, session.ledger, session.host.clock.now()));
}

/** A plan may be made without secrets; what has to send one is not even begun. */
function refuseWithoutSecrets({ secrets }: Session, { plan }: Planned): void {
  const holes = plan.operations.flatMap(({ requests }) => requests.flatMap(({ body }) => holesIn(body)));
  const missing = new Set(
    holes.flatMap((hole) => ('$secret' in hole && !secrets.has(hole.$secret) ? [hole.$secret] : [])),
  );
  if (missing.size === 0) return;
  const names = [...missing].sort().map((name) => `\`${name}\``);
  throw new Problems([
    problem(
      'secret/missing',
      `${names.join(', ')} would have to be sent, and ${missing.size === 1 ? 'is' : 'are'} not available`,
      {
        hint: 'the warnings say why; nothing was changed',
      },
    ),
  ]);
}

/** Deciding takes time: what was agreed to is done only if it is still what the account calls for. */
async function unchanged(session: Session, agreedTo: Planned, options: PlanningOptions): Promise<Planned> {
  const current = await planSession(session, options);
  // What is nobody's business here may come and go.
  const [before, now] = [agreedTo, current].map(({ plan: { reads: _, unlisted: __, ...plan } }) =>
    jsonText(planJson({ ...plan, unmanaged: [] })),
  );
  if (before === now) return current;
  throw new Problems([
    problem('apply/changed', 'the account changed since the plan was shown, so nothing was done', {
      hint: 'run apply again to see the plan as it is now',
    }),
  ]);
}

async function agreed({ autoApprove }: ApplyCommandOptions, terminal: Terminal): Promise<boolean> {
  if (autoApprove) return true;
  if (!terminal.canAsk)
    throw new Problems([
      problem('apply/unattended', 'there is nobody to ask, so nothing was changed', {
        hint: 'pass --auto-approve where a person has already agreed to the plan',
      }),
    ]);
  if ((await terminal.ask('\nMake these changes? Only `yes` is a yes: ')) === 'yes') return true;
  terminal.err('Nothing was changed.');
  terminal.run.exitCode = 1;
  return false;
}

/** Applies, then looks whether it worked. */
export async function carryOut(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
  destroy = false,
): Promise<void> {
  const outcome = await applyPlan(session, planned, options, terminal);
  const code = exitCode(outcome);
  if (code !== 0) terminal.run.exitCode = code;
  else await verify(session, planned, options, terminal, { destroy });
}
