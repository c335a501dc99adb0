import * as z from 'zod';
import {
  type ApiObject,
  type BatchContext,
  defineKind,
  openEnum,
  readMayLack,
  type Step,
  safeguard,
} from '#kind';
import { batch, document } from '#shapes';
import { active, changes, config, envelopeRequest, lane, watched } from './firewall-config.ts';
import { firewallDocument } from './firewall-document.ts';
import { gradeOf } from './protection.ts';

const codes = ['sd', 'ma', 'lfi', 'rfi', 'rce', 'php', 'gen', 'xss', 'sqli', 'sf', 'java'];
const usual = { active: false, action: 'log' };

/** A category of the OWASP core rule set, in force while the managed ruleset `owasp` is active. */
export const coreRuleset = defineKind({
  name: 'coreRuleset',
  doc: 'A category of the OWASP core rule set, in force while the managed ruleset `owasp` is active.',
  example: `
projects:
  web:
    firewall:
      managedRules: { owasp: { active: true } }
      crs:
        sqli: { active: true, action: deny }
        xss: { active: true, action: log }
`,
  section: 'crs',
  parent: 'firewall',
  lifecycle: { lane },
  key: ['code'],
  id: 'code',
  usual,
  fields: () => ({
    code: z.enum(codes).describe('The category, such as `sqli` for SQL injection.'),
    active: safeguard(z.boolean()).optional().describe('Whether it is in force.'),
    action: safeguard(readMayLack(openEnum(['deny', 'log'])))
      .optional()
      .describe('The action on matching requests; if omitted it keeps its value, initially `log`.'),
  }),
  rules: {
    grade: gradeOf(({ active, action }) => active && action),
    // The platform may drop the action of a category that is off. The last applied action counts then.
    align({ desired: { fields: desired }, live }) {
      const { action, ...rest } = live?.fields ?? {};
      const isOff = !rest.active && !desired.active;
      return { desired, live: isOff && action !== desired.action ? rest : undefined };
    },
  },
  shape: document(
    firewallDocument,
    batch((steps, context) =>
      steps.length > 1 && leavesAllOff(steps, context)
        ? [
            {
              changes: steps.map(({ address }) => address),
              requests: [envelopeRequest('crs.disable', null, null)],
            },
          ]
        : steps.map(({ address, fullBody }) => {
            const { code, ...value }: ApiObject = { ...usual, ...fullBody };
            return { changes: [address], requests: [envelopeRequest('crs.update', String(code), value)] };
          }),
    ),
  ),
  read: { ...watched, endpoint: config, items: (answer) => categories(active(answer)) },
  update: changes,
});

/**
 * Returns all categories of the core ruleset from the answer. A category that is off may be missing there, so it
 * gets its defaults.
 */
const categories = ({ crs = {} }: ApiObject): ApiObject[] =>
  codes.map((code) => ({ code, ...usual, ...(crs as Record<string, ApiObject>)[code] }));

/** True if all categories of the core ruleset are off after these changes. The ruleset itself is then switched off. */
const leavesAllOff = (steps: Step[], { live }: BatchContext) => {
  const changed = new Set(steps.map(({ address }) => address));
  return (
    steps.every(({ fullBody }) => fullBody.active === false) &&
    live.every(({ address, fields }) => changed.has(address) || !fields.active)
  );
};
