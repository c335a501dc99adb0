import * as z from 'zod';
import { type ApiObject, type BatchContext, defineKind, openEnum, readMayLack, type Step } from '#kind';
import { batch, document } from '#shapes';
import { active, changes, config, envelopeRequest, lane, watched } from './firewall-config.ts';
import { firewallDocument } from './firewall-document.ts';
import { gradeOf } from './protection.ts';

const codes = ['sd', 'ma', 'lfi', 'rfi', 'rce', 'php', 'gen', 'xss', 'sqli', 'sf', 'java'];

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
  fields: () => ({
    code: z.enum(codes).describe('The category, such as `sqli` for SQL injection.'),
    active: z.boolean().optional().describe('Whether it is in force.'),
    action: readMayLack(openEnum(['deny', 'log']))
      .optional()
      .describe('What is done with requests that match; `log` by default.'),
  }),
  rules: { grade: gradeOf(({ active, action }) => active && action) },
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
        : steps.map(({ address, whole }) => {
            const { code, ...value }: ApiObject = { active: false, action: 'log', ...whole };
            return { changes: [address], requests: [envelopeRequest('crs.update', String(code), value)] };
          }),
    ),
  ),
  read: { ...watched, endpoint: config, items: (answer) => categories(active(answer)) },
  update: changes,
});

// One that is off may be missing from the answer, and what it would do may not be kept.
const categories = ({ crs = {} }: ApiObject): ApiObject[] =>
  codes.map((code) => {
    const found = (crs as Record<string, ApiObject>)[code];
    return found?.active ? { code, ...found } : { code, active: false };
  });

const leavesAllOff = (steps: Step[], { live }: BatchContext) => {
  const changed = new Set(steps.map(({ address }) => address));
  return (
    steps.every(({ whole }) => whole.active === false) &&
    live.every(({ address, fields }) => changed.has(address) || !fields.active)
  );
};
