import type { Plan } from '../model/plan.ts';
import { sentIn } from './summary-of.ts';

/** More than this GitLab does not show. */
const most = 999_999;

/** The counts that GitLab shows in a merge request (`artifacts:reports:terraform`). What is replaced is deleted and created. */
export function gitlabReport(plan: Plan): { create: number; update: number; delete: number } {
  const sent = sentIn(plan);
  const number = (...actions: string[]) =>
    Math.min(most, plan.changes.filter(({ action }) => actions.includes(action)).length);
  const adopted = plan.changes.filter(({ action, address }) => action === 'adopt' && sent.has(address));
  return {
    create: number('create', 'replace'),
    update: Math.min(most, number('update', 'move') + adopted.length),
    delete: number('delete', 'replace'),
  };
}
