import { stringify } from 'yaml';

/** Plain data as YAML. */
export const yamlText = (value: unknown): string => stringify(value, { lineWidth: 0 });
