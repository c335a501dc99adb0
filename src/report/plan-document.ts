import type { Address } from '../model/address.ts';
import type { Action, FieldCause, Grade } from '../model/change.ts';
import type { Summary } from '../model/plan.ts';

/** The public form of a plan. `formatVersion`: the first number changes when something goes or means something else. */
export interface PlanDocument {
  formatVersion: '1.0';
  stack: string;
  complete: boolean;
  summary: Summary;
  changes: {
    address: Address;
    kind: string;
    action: Action;
    id?: string;
    reason?: string;
    grade: Grade;
    gradeReason?: string;
    moves: boolean;
    fields: JsonField[];
    source?: JsonPlace;
  }[];
  operations: {
    id: string;
    kind: string;
    changes: Address[];
    dependsOn: string[];
    requests: { method: string; path: string; body?: unknown }[];
  }[];
  diagnostics: JsonDiagnostic[];
}

export interface JsonField {
  path: string;
  before?: unknown;
  after?: unknown;
  cause: FieldCause;
  secret: boolean;
  replaces: boolean;
}

export interface JsonPlace {
  file: string;
  line: number;
  column: number;
}

export interface JsonDiagnostic {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  hint?: string;
  address?: Address;
  source?: JsonPlace;
  related: { message: string; source: JsonPlace }[];
}
