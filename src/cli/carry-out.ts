import { join } from 'node:path';
import { type AboutRun, openRecording } from '../history/open-recording.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import { isEmpty, type Plan } from '../model/plan.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { appliedMarkdown, type Deed } from '../report/markdown/applied-markdown.ts';
import { outcomeDiagnostics } from '../report/outcome-diagnostics.ts';
import { outcomeText, sideEffectsText } from '../report/outcome-text.ts';
import { waitingLines } from '../report/plan-end.ts';
import { planJson } from '../report/plan-json.ts';
import { planText } from '../report/plan-text.ts';
import { outcomeLines } from '../report/terraform/apply-lines.ts';
import { type ApplyOptions, apply } from '../run/apply.ts';
import { type Deliveries, openDeliveries } from '../run/deliveries.ts';
import type { Planned } from '../run/open-plan.ts';
import { type Verified, verify as verifyApplied } from '../run/verify.ts';
import { aboutRun } from './about-run.ts';
import { addStepSummary, annotate } from './actions-run.ts';
import { exitCode, exitCodes } from './exit-codes.ts';
import { home, makeHome } from './home.ts';
import { remoteOf } from './ledger-place.ts';
import type { WritingOptions } from './options.ts';
import { placesOn } from './places-on.ts';
import { planningOf } from './planning.ts';
import { type ProgressView, progressFor } from './progress.ts';
import { requireKey, type Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/**
 * Applies a plan that was agreed to: shows progress and the outcome, then looks whether it worked, and waits for what takes its time and is
 * to be waited for. `about`: what its record says of it.
 */
export async function carryOut(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
  about: Partial<AboutRun>,
): Promise<void> {
  const code = exitCode(await shown(session, planned, options, terminal, about));
  if (code !== 0) {
    terminal.run.exitCode = code;
    return;
  }
  const verified = await verify(session, planned, options, terminal, {
    destroy: about.command === 'destroy',
  });
  if (verified) await waitUntilReady(session, verified, terminal);
}

async function shown(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
  about: Partial<AboutRun>,
): Promise<Outcome> {
  const { lease, say } = session;
  const { plan } = planned;
  const stop = new AbortController();
  let progress: ProgressView | undefined;
  try {
    return await apply(session, planned, {
      ...applyingOf(session, planned, options, about),
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

/** The options that carrying out a plan takes, the same whoever watches it. */
export function applyingOf(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  about: Partial<AboutRun> = {},
): Pick<ApplyOptions, 'parallelism' | 'deliveries' | 'prepare' | 'record'> {
  session.masking.show(() => openText(planned.plan));
  return {
    parallelism: options.parallelism,
    deliveries: deliveriesOf(session, planned, options),
    prepare: async () => {
      const { host } = session;
      // The ledger is kept there, unless it has another place.
      if (options.ledger === undefined && remoteOf(options, host) === undefined) await makeHome(host);
      await requireKey(session, options);
    },
    record: async () => {
      const { documents, ledger, host } = session;
      const { plan, digest } = planned;
      return openRecording({
        documents,
        ledger,
        key: await requireKey(session, options),
        plan,
        digest,
        about: await aboutRun(session, options, {
          ...about,
          ...(digest === undefined ? {} : { approval: 'saved plan' }),
        }),
        now: host.clock.now,
      });
    },
  };
}

function showOutcome(plan: Plan, outcome: Outcome, terminal: Terminal): void {
  const now = terminal.run.host.clock.now();
  if (terminal.stream) terminal.stream(outcomeLines(plan, outcome, now));
  else terminal.out(outcomeText(plan, outcome, { style: terminal.outStyle, now }));
  annotate(outcomeDiagnostics(plan, outcome, now), terminal);
  const deed: Deed = { plan, outcome, at: now };
  Object.assign(terminal.run.deed ?? {}, deed);
  addStepSummary((room) => appliedMarkdown(plan, deed, room, placesOn(terminal.run.host)), terminal);
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

/**
 * Plans again after an apply, until nothing is left to do; Ctrl-C ends that. Says what it finds, and gives back the empty plan. `done`: the
 * plan that was carried out.
 */
async function verify(
  session: Session,
  done: Planned,
  options: WritingOptions,
  terminal: Terminal,
  { destroy }: { destroy: boolean },
): Promise<Planned | undefined> {
  const stop = new AbortController();
  const { planned, beside } = await lookAgain(session, done, options, terminal, { destroy, stop });
  const { plan } = planned;
  const isDone = isEmpty(plan) && !hasErrors(plan.diagnostics);
  if (terminal.run.deed)
    terminal.run.deed.proof = isDone ? 'settled' : isEmpty(plan) ? 'unread' : 'unsettled';
  if (isDone) {
    terminal.out('A second plan finds nothing left to do: No changes.');
    // What is to be waited for is told by the wait.
    const waiting = (plan.waiting ?? []).filter(({ minutes }) => minutes === undefined);
    terminal.out(waitingLines({ waiting }, { style: terminal.outStyle, verbose: false }).join('\n'));
  } else {
    terminal.run.exitCode = stop.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
    terminal.err(
      isEmpty(plan)
        ? 'Applied, but not verified: the account could not be read again.'
        : 'Applied, but not settled: a second plan still finds differences.',
    );
    terminal.err(diagnosticsText(plan.diagnostics, { style: terminal.errStyle }));
    terminal.out(planText(plan, { style: terminal.outStyle, requests: false }));
  }
  const news = beside.filter(({ address }) => !session.changedBeside?.has(address));
  terminal.out(sideEffectsText(news, { style: terminal.outStyle }));
  return isDone ? planned : undefined;
}

async function lookAgain(
  session: Session,
  done: Planned,
  options: WritingOptions,
  terminal: Terminal,
  { destroy, stop }: { destroy: boolean; stop: AbortController },
): Promise<Verified> {
  const { lease, host } = session;
  try {
    return await verifyApplied(session, done, {
      ...planningOf(options, host, { destroy }),
      within: options.settle * 1000,
      onWait: () => {
        const text = `looking again for up to ${options.settle} s`;
        terminal.err(`The account does not show everything yet; ${text}.`);
        if (lease) lease.onInterrupt = () => stop.abort();
      },
      stop: stop.signal,
    });
  } finally {
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}
