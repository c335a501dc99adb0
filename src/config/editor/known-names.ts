import type { InputType } from '../layers/templates.ts';

/** The names that a configuration declares: an editor offers them, and takes any other. */
export interface KnownNames {
  templates: KnownTemplate[];
  variables: { name: string; description?: string; isCollection: boolean }[];
  stages: string[];
  /** It has patches: what a block lacks may come from one of them. */
  isPatched: boolean;
}

export interface KnownTemplate {
  name: string;
  /** The name of the kind that it is for; any without. */
  kind?: string;
  inputs: KnownInput[];
}

export interface KnownInput {
  name: string;
  type?: InputType;
  description?: string;
  values?: string[];
  isRequired: boolean;
}

export const noNames: KnownNames = { templates: [], variables: [], stages: [], isPatched: false };
