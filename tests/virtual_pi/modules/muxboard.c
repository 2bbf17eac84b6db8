// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The GPIO chip of a Raspberry Pi 4 with a board's multiplexers soldered to it.
 *
 * Each chip connects the contact that the select lines choose to its signal line. A contact that is closed
 * pulls the line down at once; when it is left, the line takes rise_ns to come up again, as through a
 * resistor. Contact c of chip k is bit c + (k << selects) of `closed`, as of the masks of contacts that are
 * stuck. With enable lines all chips are on the first signal line, and connect while theirs is low.
 */
#include <linux/gpio/driver.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pinctrl/pinconf-generic.h>
#include <linux/platform_device.h>
#include <linux/random.h>
#include <linux/spinlock.h>

#define LINES 54
#define CHIPS 28

static int select[5] = { 17, 27, 22 };
module_param_array(select, int, NULL, 0644);
static int selects = 3;
module_param(selects, int, 0644);
static int signal[CHIPS] = { 23, 24, 25 };
static int signals = 3;
module_param_array(signal, int, &signals, 0644);
static int enable[CHIPS];
module_param_array(enable, int, NULL, 0644);
static int enables;
module_param(enables, int, 0644);

static ulong closed;
module_param(closed, ulong, 0644);
static ulong stuck_closed; /* contacts, wherever the pieces are */
module_param(stuck_closed, ulong, 0644);
static ulong stuck_open;
module_param(stuck_open, ulong, 0644);
static ulong dead; /* chips without power: bit k */
module_param(dead, ulong, 0644);
static ulong floats; /* signal lines without a resistor of their own: bit k */
module_param(floats, ulong, 0644);
static char *label = "pinctrl-bcm2711"; /* what the chip of a model is called */
module_param(label, charp, 0444);
static bool mute; /* no line can be read */
module_param(mute, bool, 0644);
static ulong rise_ns = 7000;
module_param(rise_ns, ulong, 0644);

static DEFINE_RAW_SPINLOCK(lock);
static u64 level, output, pulled_up, pulled_down;
static ktime_t up_at[CHIPS];

static unsigned int address(void)
{
	unsigned int bit, chosen = 0;

	for (bit = 0; bit < selects; bit++)
		if (level & BIT_ULL(select[bit]))
			chosen |= BIT(bit);
	return chosen;
}

/* Return whether a chip connects its signal line to ground. */
static bool chip_pulls(unsigned int chip)
{
	u64 contact = BIT_ULL((chip << selects) + address());

	if (dead & BIT(chip) || (enables && level & BIT_ULL(enable[chip])))
		return false;
	return stuck_closed & contact || (closed & contact && !(stuck_open & contact));
}

static bool pulls(unsigned int line)
{
	unsigned int chip;

	if (!enables)
		return chip_pulls(line);
	for (chip = 0; chip < enables; chip++)
		if (line == 0 && chip_pulls(chip))
			return true;
	return false;
}

/* Return the level of a line that no contact pulls down. */
static int at_rest(unsigned int index, unsigned int line)
{
	if (!(floats & BIT(index)) || pulled_up & BIT_ULL(line))
		return ktime_after(ktime_get(), up_at[index]);
	return pulled_down & BIT_ULL(line) ? 0 : get_random_u32() & 1;
}

static int board_get(struct gpio_chip *gc, unsigned int line)
{
	unsigned long flags;
	unsigned int index;
	int high = 1;

	if (mute)
		return -EIO;
	raw_spin_lock_irqsave(&lock, flags);
	if (output & BIT_ULL(line))
		high = !!(level & BIT_ULL(line));
	for (index = 0; index < signals; index++)
		if (signal[index] == line)
			high = !pulls(index) && at_rest(index, line);
	raw_spin_unlock_irqrestore(&lock, flags);
	return high;
}

static void board_set(struct gpio_chip *gc, unsigned int line, int high)
{
	unsigned long flags;
	unsigned int index;
	u32 before = 0;

	raw_spin_lock_irqsave(&lock, flags);
	for (index = 0; index < signals; index++)
		before |= pulls(index) ? BIT(index) : 0;
	level = high ? level | BIT_ULL(line) : level & ~BIT_ULL(line);
	for (index = 0; index < signals; index++)
		if (before & BIT(index) && !pulls(index))
			up_at[index] = ktime_add_ns(ktime_get(), rise_ns);
	raw_spin_unlock_irqrestore(&lock, flags);
}

static int board_input(struct gpio_chip *gc, unsigned int line)
{
	output &= ~BIT_ULL(line);
	return 0;
}

static int board_output(struct gpio_chip *gc, unsigned int line, int high)
{
	board_set(gc, line, high);
	output |= BIT_ULL(line);
	return 0;
}

static int board_direction(struct gpio_chip *gc, unsigned int line)
{
	return output & BIT_ULL(line) ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int board_config(struct gpio_chip *gc, unsigned int line, unsigned long config)
{
	switch (pinconf_to_config_param(config)) {
	case PIN_CONFIG_BIAS_PULL_UP:
		pulled_up |= BIT_ULL(line);
		pulled_down &= ~BIT_ULL(line);
		return 0;
	case PIN_CONFIG_BIAS_PULL_DOWN:
		pulled_down |= BIT_ULL(line);
		pulled_up &= ~BIT_ULL(line);
		return 0;
	case PIN_CONFIG_BIAS_DISABLE:
		pulled_up &= ~BIT_ULL(line);
		pulled_down &= ~BIT_ULL(line);
		return 0;
	default:
		return -ENOTSUPP;
	}
}

static struct gpio_chip board = {
	.owner = THIS_MODULE,
	.base = -1,
	.ngpio = LINES,
	.get = board_get,
	.set = board_set,
	.direction_input = board_input,
	.direction_output = board_output,
	.get_direction = board_direction,
	.set_config = board_config,
};

static struct platform_device *device;

static int __init board_init(void)
{
	int error;

	device = platform_device_register_simple("muxboard", -1, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	board.label = label;
	board.parent = &device->dev;
	error = gpiochip_add_data(&board, NULL);
	if (error)
		platform_device_unregister(device);
	return error;
}

static void __exit board_exit(void)
{
	gpiochip_remove(&board);
	platform_device_unregister(device);
}

module_init(board_init);
module_exit(board_exit);
MODULE_DESCRIPTION("A Pi's GPIO chip with a board's multiplexers on it");
MODULE_LICENSE("Dual MIT/GPL");
