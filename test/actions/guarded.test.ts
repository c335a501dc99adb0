import { beforeAll, expect, test } from 'vitest';
import type { Twin } from '../../providers/hosting/twin/index.ts';
import { Shell } from '../support/cli.ts';
