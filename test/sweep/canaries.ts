import type { Account } from '../../providers/hosting/twin/index.ts';
import type { ApplyEvent, Outcome } from '../../src/model/event.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { Send } from '../../src/model/request.ts';
import { eventWriter } from '../../src/report/events-text.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { errorLines } from '../../src/report/text.ts';

const style = styleFor({ color: false, width: 100 });

/** As `send`; what an answer shows once and never again is added to `secrets`. */
export const noting =
  (send: Send, secrets: Set<string>): Send =>
  async (request, confirm) => {
    const answer = await send(request, confirm);
    const secret = request.shows?.path.reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | undefined)?.[String(name)],
      answer,
    );
    if (typeof secret === 'string') secrets.add(secret);
    return answer;
  };

/** Secrets that the platform made, as they are in an account: nobody has ever written them. */
export function madeSecrets(account: Account): string[] {
  return [
    ...account.webhooks.map(({ secret }) => secret),
    ...account.globalConfigs.flatMap(({ tokens }) => tokens.map(({ token }) => token)),
    ...account.projects.flatMap(({ protectionBypass }) => Object.keys(protectionBypass ?? {})),
  ];
}

/** All that people, programs and files get to see of a plan. */
export const shownOfPlan = (plan: Plan): string[] => [
  planText(plan, { style, requests: true, verbose: true }),
  JSON.stringify(planJson(plan)),
  JSON.stringify(plan),
];

/** And of the run that carried it out. */
export const shownOfRun = (
  plan: Plan,
  { outcome, events, ledger }: { outcome: Outcome; events: ApplyEvent[]; ledger: Ledger },
): string[] => [
  outcomeText(plan, outcome, { style, now: 0 }),
  ...events.map(eventWriter(plan, { style })),
  JSON.stringify(events),
  ...outcome.failed.map(({ error }) => shownOfError(error)),
  JSON.stringify(ledger),
];

export const shownOfError = (error: unknown): string =>
  [...errorLines(error).message, ...errorLines(error).hint, JSON.stringify(error)].join('\n');

/** The secrets that were shown, each with what stands around it. */
export const leaks = (shown: string[], secrets: string[]): string[] =>
  secrets.flatMap((secret) =>
    shown
      .filter((text) => text.includes(secret))
      .map((text) => `shown: ${secret}, in ...${around(text, secret)}...`),
  );

const around = (text: string, secret: string) => {
  const at = text.indexOf(secret);
  return text.slice(Math.max(0, at - 120), at + secret.length + 60);
};
