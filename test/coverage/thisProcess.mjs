// Measures the coverage of this process alone. The child processes of the tests would write hundreds of megabytes of
// counts.
delete process.env.NODE_V8_COVERAGE;
