import { defineConfig } from 'vitest/config'

/** Minutes of work for both cores: they run after the others, one file at a time. */
const long = ['test/simulation*.test.ts', 'test/kill*.test.ts']

export default defineConfig({
  test: {
    environment: 'node',
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'short',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
          exclude: long,
          globalSetup: 'test/mariadb.ts',
          testTimeout: 30_000,
          hookTimeout: 90_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: long,
          globalSetup: 'test/mariadb.ts',
          testTimeout: 600_000,
          hookTimeout: 90_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
