import { z } from 'zod';
import { type ApiObject, type BatchContext, defineKind, type Fields, openEnum, type Step } from '#kind';
import { active, blocked, config, envelope, lane } from './firewall.ts';

const codes = ['sd', 'ma', 'lfi', 'rfi', 'rce', 'php', 'gen', 'xss', 'sqli', 'sf', 'java'];
const off = { active: false, action: 'log' };

/** A category of the OWASP core rule set; in force while the managed ruleset `owasp` is active. */
export const coreRuleset = defineKind({
  name: 'coreRuleset',
  doc: 'A category of the OWASP core rule set, in force while the managed ruleset `owasp` is active.',
  section: 'crs',
  parent: 'firewall',
  key: ['code'],
  id: 'code',
  lane,
  fields: {
    code: z.enum(codes),
    active: z.boolean().optional(),
    action: openEnum(['deny', 'log']).optional(),
  },
  blocked,
  api: {
    list: { endpoint: config, items: (answer) => categories(active(answer)) },
    verbs: ['update'],
    batch: (steps, context) =>
      allOff(steps, context)
        ? [{ changes: steps.map(({ address }) => address), requests: [envelope('crs.disable', null, null)] }]
        : steps.map(({ address, before, after }) => {
            const { code = null, ...value }: Fields = { ...off, ...before?.fields, ...after?.fields };
            return { changes: [address], requests: [envelope('crs.update', code, value)] };
          }),
  },
});

// A category that is missing from the answer is off.
const categories = ({ crs = {} }: ApiObject): ApiObject[] =>
  codes.map((code) => ({ code, ...off, ...(crs as Record<string, ApiObject>)[code] }));

/** One envelope turns all categories off; right only if that is what all of them are to be. */
const allOff = (steps: Step[], { live }: BatchContext) =>
  steps.length > 1 &&
  live.every(({ address, fields }) => {
    const after = { ...fields, ...steps.find((step) => step.address === address)?.after?.fields };
    return after.active === false && after.action === 'log';
  });
