// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The I2C bus of a Pi's header, /dev/i2c-1, with four MCP23017 on it, from address 0x20 on.
 *
 * A contact that is closed connects its pin to ground: contact p of chip k is bit p + 16 * k of `closed`, as of
 * `stuck_closed`. Pin 0 is GPA0, pin 8 GPB0. An input that nothing pulls reads anything. Chips in the mask `dead` do
 * not acknowledge; those written to `reset` lose their settings, as by a dip of their supply. IOCON.BANK stays 0.
 */
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/random.h>

#define CHIPS 4
#define FIRST 0x20
#define REGISTERS 0x16
enum { IODIR = 0x00, IPOL = 0x02, GPPU = 0x0c, GPIO = 0x12, OLAT = 0x14 };

static ulong closed;
module_param(closed, ulong, 0644);
static ulong stuck_closed; /* contacts, wherever the pieces are */
module_param(stuck_closed, ulong, 0644);
static ulong dead;
module_param(dead, ulong, 0644);

static u8 registers[CHIPS][REGISTERS], pointer[CHIPS];
static DEFINE_MUTEX(lock);

static void reset_chip(unsigned int chip)
{
	memset(registers[chip], 0, REGISTERS);
	memset(&registers[chip][IODIR], 0xff, 2);
	pointer[chip] = 0;
}

static int reset_set(const char *value, const struct kernel_param *param)
{
	unsigned long chips;
	unsigned int chip;
	int error = kstrtoul(value, 0, &chips);

	if (error)
		return error;
	mutex_lock(&lock);
	for (chip = 0; chip < CHIPS; chip++)
		if (chips & BIT(chip))
			reset_chip(chip);
	mutex_unlock(&lock);
	return 0;
}
static const struct kernel_param_ops reset_ops = { .set = reset_set };
module_param_cb(reset, &reset_ops, NULL, 0200);

/* The levels of port 0 or 1, as its register GPIO shows them. */
static u8 levels(unsigned int chip, unsigned int port)
{
	u8 *own = registers[chip], inputs = own[IODIR + port];
	u8 low = (closed | stuck_closed) >> (16 * chip + 8 * port);
	u8 pulled = own[GPPU + port] | (get_random_u8() & ~own[GPPU + port]);

	return (((pulled & ~low) ^ own[IPOL + port]) & inputs) | (own[OLAT + port] & ~inputs);
}

static u8 read_next(unsigned int chip)
{
	u8 at = pointer[chip];

	pointer[chip] = (at + 1) % REGISTERS;
	return at == GPIO || at == GPIO + 1 ? levels(chip, at - GPIO) : registers[chip][at];
}

static void write_next(unsigned int chip, u8 value)
{
	u8 at = pointer[chip];

	pointer[chip] = (at + 1) % REGISTERS;
	if (at == 0x0a || at == 0x0b) /* IOCON is one register at two addresses */
		registers[chip][0x0a] = registers[chip][0x0b] = value;
	else /* what is written to GPIO goes to OLAT */
		registers[chip][at == GPIO || at == GPIO + 1 ? at + 2 : at] = value;
}

static int transfer_one(struct i2c_msg *message)
{
	unsigned int chip = message->addr - FIRST, n = 0;

	if (message->addr < FIRST || chip >= CHIPS || dead & BIT(chip))
		return -EREMOTEIO;
	if (message->flags & I2C_M_RD) {
		for (; n < message->len; n++)
			message->buf[n] = read_next(chip);
		return 0;
	}
	if (message->len)
		pointer[chip] = message->buf[n++] % REGISTERS;
	for (; n < message->len; n++)
		write_next(chip, message->buf[n]);
	return 0;
}

/* As the driver of the Pis before the 5 has it: one read in a transfer, as its last message. */
static int transfer(struct i2c_adapter *bus, struct i2c_msg *messages, int count)
{
	int n, error = 0;

	for (n = 0; n < count - 1; n++)
		if (messages[n].flags & I2C_M_RD)
			return -EOPNOTSUPP;
	mutex_lock(&lock);
	for (n = 0; n < count && !error; n++)
		error = transfer_one(&messages[n]);
	mutex_unlock(&lock);
	return error ? error : count;
}

static u32 functions(struct i2c_adapter *bus)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = { .master_xfer = transfer, .functionality = functions };
static struct i2c_adapter bus = { .owner = THIS_MODULE, .algo = &algorithm, .name = "expanders", .nr = 1 };
static struct platform_device *device;

static int __init expanders_init(void)
{
	unsigned int chip;
	int error;

	for (chip = 0; chip < CHIPS; chip++)
		reset_chip(chip);
	device = platform_device_register_simple("expanders", -1, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	bus.dev.parent = &device->dev;
	error = i2c_add_numbered_adapter(&bus);
	if (error)
		platform_device_unregister(device);
	return error;
}

static void __exit expanders_exit(void)
{
	i2c_del_adapter(&bus);
	platform_device_unregister(device);
}

module_init(expanders_init);
module_exit(expanders_exit);
MODULE_DESCRIPTION("A Pi's I2C bus with port expanders on it");
MODULE_LICENSE("Dual MIT/GPL");
