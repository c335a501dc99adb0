import { join } from 'node:path';
import type { Outcome } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { outcomeMarkdown } from '../report/markdown/outcome-markdown.ts';
import { outcomeDiagnostics } from '../report/outcome-diagnostics.ts';
import { outcomeText } from '../report/outcome-text.ts';
import { planJson } from '../report/plan-json.ts';
import { outcomeLines } from '../report/terraform/apply-lines.ts';
import { apply } from '../run/apply.ts';
import { type Deliveries, openDeliveries } from '../run/deliveries.ts';
import type { Planned } from '../run/open-plan.ts';
import { addStepSummary, annotate } from './actions-run.ts';
import { exitCode } from './exit-codes.ts';
import { home, makeHome } from './home.ts';
import { remoteOf } from './ledger-place.ts';
import type { WritingOptions } from './options.ts';
import { type ProgressView, progressFor } from './progress.ts';
import { requireKey, type Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { verify } from './verify.ts';

/** Applies a plan that was agreed to: shows progress and the outcome, then looks whether it worked. */
export async function carryOut(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
  destroy = false,
): Promise<void> {
  const code = exitCode(await shown(session, planned, options, terminal));
  if (code !== 0) terminal.run.exitCode = code;
  else await verify(session, planned, options, terminal, { destroy });
}

async function shown(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { lease, host, say } = session;
  const { plan } = planned;
  const stop = new AbortController();
  let progress: ProgressView | undefined;
  session.masking.show(() => openText(plan));
  try {
    return await apply(session, planned, {
      parallelism: options.parallelism,
      deliveries: deliveriesOf(session, planned, options),
      prepare: async () => {
        // The ledger is kept there, unless it has another place.
        if (options.ledger === undefined && remoteOf(options, host) === undefined) await makeHome(host);
        await requireKey(session, options);
      },
      onStart: (flush) => {
        progress = progressFor(plan, terminal);
        session.say = progress.note;
        // The first signal waits for what is in flight, the second ends the run.
        lease!.onInterrupt = () =>
          stop.signal.aborted || lease!.lost.aborted ? lease!.abandon(flush) : stop.abort();
      },
      onEvent: (event) => progress!.show(event),
      onEnd: (outcome) => {
        progress!.done();
        showOutcome(plan, outcome, terminal);
      },
      stop: stop.signal,
    });
  } finally {
    progress?.done();
    session.say = say;
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}

function showOutcome(plan: Plan, outcome: Outcome, terminal: Terminal): void {
  const now = terminal.run.host.clock.now();
  if (terminal.stream) terminal.stream(outcomeLines(plan, outcome, now));
  else terminal.out(outcomeText(plan, outcome, { style: terminal.outStyle, now }));
  annotate(outcomeDiagnostics(plan, outcome, now), terminal);
  addStepSummary((room) => outcomeMarkdown(plan, outcome, room, now), terminal);
}

function deliveriesOf(
  session: Session,
  planned: Planned,
  { twin, varFile = [], tokenFile, ledger }: WritingOptions,
): Deliveries {
  const { host, sources, configuration } = session;
  return openDeliveries(planned, {
    cwd: host.cwd,
    env: host.env,
    judgeCommand: sources.judgeCommand,
    reserved: [
      home,
      ...configuration.files,
      ...varFile,
      ...[tokenFile, ledger].filter((file) => file !== undefined),
    ],
    twinFolder: twin ? join(home, 'twin', 'secrets') : undefined,
    say: (text) => session.say(text),
  });
}

/** All names and texts that a plan shows. */
function openText(plan: Plan): string {
  const texts: string[] = [];
  JSON.stringify(planJson(plan), (name, value) => {
    texts.push(name);
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
}
