import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from './measure.ts';

/** Returns the version of the `terraform` on the PATH; undefined without one. */
export function terraformVersion(): string | undefined {
  try {
    const output = execFileSync('terraform', ['version', '-json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return (JSON.parse(output) as { terraform_version: string }).terraform_version;
  } catch {
    return undefined;
  }
}

/** A folder with so many blocks of the builtin `terraform_data`, which needs no provider and makes no request. */
export class TerraformFolder {
  readonly folder = mkdtempSync(join(tmpdir(), 'trueup-bench-terraform-'));
  readonly #blocks: number;

  constructor(blocks: number) {
    this.#blocks = blocks;
    const text = Array.from(
      { length: blocks },
      (_, i) => `resource "terraform_data" "r${i}" {\n  input = "value ${i}"\n}\n`,
    );
    writeFileSync(join(this.folder, 'main.tf'), text.join(''));
  }

  /** Writes a state with all blocks, as an apply would leave it: for thousands of blocks, an apply takes minutes. */
  applied(): this {
    const resources = Array.from({ length: this.#blocks }, (_, i) => ({
      mode: 'managed',
      type: 'terraform_data',
      name: `r${i}`,
      provider: 'provider["terraform.io/builtin/terraform"]',
      instances: [
        {
          schema_version: 0,
          attributes: {
            id: `00000000-0000-0000-0000-${String(i).padStart(12, '0')}`,
            input: { value: `value ${i}`, type: 'string' },
            output: { value: `value ${i}`, type: 'string' },
            triggers_replace: null,
          },
          sensitive_attributes: [],
        },
      ],
    }));
    return this.#state({ serial: 1, resources });
  }

  /** A state in which there is nothing. */
  empty(): this {
    return this.#state({ serial: 0, resources: [] });
  }

  #state(more: object): this {
    const state = {
      version: 4,
      terraform_version: terraformVersion(),
      lineage: '11111111-1111-1111-1111-111111111111',
      outputs: {},
      check_results: null,
      ...more,
    };
    writeFileSync(join(this.folder, 'terraform.tfstate'), JSON.stringify(state));
    return this;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  command(...args: string[]): Command {
    return { argv: ['terraform', ...args], cwd: this.folder, env: { CHECKPOINT_DISABLE: '1' } };
  }
}
